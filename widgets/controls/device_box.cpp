// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/device_box.h"

#include <QAbstractItemView>
#include <QFileInfo>
#include <QScrollBar>
#include <QSettings>
#include <QStandardItemModel>
#include <QStyleOptionComboBox>
#include <QStylePainter>

#include <algorithm>

namespace poet {

using namespace Qt::StringLiterals;

namespace {

constexpr int kOwnFiles = 12;
constexpr int kWidestPopup = 700;

QString ownSetting() { return u"ownDevices"_s; }

DeviceEntry entryOfFile(const QString& path)
{
    return {path, QFileInfo(path).completeBaseName(), path, DeviceGroup::Own};
}

}  // namespace

DeviceBox::DeviceBox(QWidget* parent) : QComboBox(parent)
{
    // The panel's width decides, not the longest name.
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(9);
    setMaxVisibleItems(18);
    setStyleSheet(u"QComboBox { combobox-popup: 0; }"_s);  // a list that scrolls, not a menu as high as the screen
    connect(this, &QComboBox::currentIndexChanged, this, &DeviceBox::updateTip);
}

QStringList DeviceBox::ownFiles()
{
    QStringList files = QSettings().value(ownSetting()).toStringList();
    files.removeIf([](const QString& path) { return !QFileInfo::exists(path); });
    return files;
}

void DeviceBox::addHeading(const QString& text)
{
    auto* items = qobject_cast<QStandardItemModel*>(model());
    auto* heading = new QStandardItem(text);
    QFont bold = font();
    bold.setBold(true);
    heading->setFont(bold);
    heading->setFlags(Qt::NoItemFlags);
    items->appendRow(heading);
}

void DeviceBox::addDevice(const DeviceEntry& entry)
{
    const QString name = entry.title.isEmpty() ? entry.id : entry.title;
    addItem(entry.summary.isEmpty() || entry.group == DeviceGroup::Own ? name : name + u" \u2013 "_s + entry.summary, entry.id);
    setItemData(count() - 1, entry.group == DeviceGroup::Own ? entry.id : u"%1\n%2\n%3"_s.arg(name, entry.summary, entry.id), Qt::ToolTipRole);
}

void DeviceBox::setDevices(const QList<DeviceEntry>& entries, const QString& none)
{
    const QString chosen = device();
    const QSignalBlocker quiet(this);
    clear();
    if (!none.isEmpty())
        addItem(none, QString());
    QList<DeviceEntry> all = entries;
    for (const QString& file : ownFiles())
        all.append(entryOfFile(file));
    for (const auto& [group, heading] : {std::pair(DeviceGroup::Own, tr("Your own")), std::pair(DeviceGroup::Corrected, tr("From data sheets and measurements")),
                                         std::pair(DeviceGroup::Published, tr("As published in the paper"))}) {
        const bool isUsed = std::any_of(all.begin(), all.end(), [group = group](const DeviceEntry& entry) { return entry.group == group; });
        if (isUsed)
            addHeading(heading);
        for (const DeviceEntry& entry : std::as_const(all))
            if (entry.group == group)
                addDevice(entry);
    }
    setCurrentIndex(none.isEmpty() ? -1 : 0);
    if (!chosen.isEmpty())
        setDevice(chosen);
    updateTip();
}

void DeviceBox::setDevice(const QString& device)
{
    int index = device.isEmpty() ? findData(QString()) : findData(device);
    if (index < 0 && device.contains(u'/')) {
        QStringList own = ownFiles();
        own.prepend(device);
        QSettings().setValue(ownSetting(), own.mid(0, kOwnFiles));
        addDevice(entryOfFile(device));
        index = count() - 1;
    }
    setCurrentIndex(index);
}

void DeviceBox::updateTip() { setToolTip(currentIndex() < 0 ? tr("The device whose costs count") : itemData(currentIndex(), Qt::ToolTipRole).toString()); }

void DeviceBox::showPopup()
{
    // Full names, whatever the width of the panel.
    view()->setMinimumWidth(std::min(kWidestPopup, view()->sizeHintForColumn(0) + view()->verticalScrollBar()->sizeHint().width() + 8));
    view()->setTextElideMode(Qt::ElideRight);
    view()->setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    QComboBox::showPopup();
}

void DeviceBox::paintEvent(QPaintEvent*)
{
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    const QRect room = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    option.currentText = fontMetrics().elidedText(option.currentText, Qt::ElideRight, room.width() - 4);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

}  // namespace poet
