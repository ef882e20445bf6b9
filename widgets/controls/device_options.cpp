// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/device_options.h"

#include "widgets/controls/field_parts.h"
#include "widgets/style/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QToolButton>

#include <algorithm>

namespace poet {

using namespace Qt::StringLiterals;

DeviceOptions::DeviceOptions(QWidget* parent) : QWidget(parent)
{
    createFields();
    m_more = new QWidget;
    auto* more = new QFormLayout(m_more);
    more->setContentsMargins(0, 0, 0, 0);
    more->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    more->setRowWrapPolicy(QFormLayout::WrapLongRows);
    more->addRow(tr("Kernel library"), m_library);
    more->addRow(tr("Page store"), m_store);
    more->addRow(tr("Room in it"), m_capacity);
    more->addRow(tr("Written a step"), m_written);
    more->addRow(tr("It lasts for"), m_lifetime);
    more->addRow(tr("A step every"), m_period);
    more->addRow(m_cautious);
    m_more->hide();
    auto* fold = new QToolButton;
    fold->setText(tr("More about the device"));
    fold->setToolTip(tr("Kernel library, page store and its limits, period, caution"));
    fold->setCheckable(true);
    fold->setAutoRaise(true);
    fold->setArrowType(Qt::RightArrow);
    fold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(fold, &QToolButton::toggled, this, [this, fold](bool isOpen) {
        fold->setArrowType(isOpen ? Qt::DownArrow : Qt::RightArrow);
        m_more->setVisible(isOpen);
    });
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("Transfers"), m_transfer);
    form->addRow(fold);
    form->addRow(m_more);
    for (QComboBox* box : {m_transfer, m_library, m_store})
        connect(box, &QComboBox::activated, this, &DeviceOptions::edited);
    for (QLineEdit* field : {m_capacity, m_written, m_lifetime, m_period})
        whenEdited(field, this, [this] { Q_EMIT edited(); });
    connect(m_cautious, &QCheckBox::clicked, this, &DeviceOptions::edited);
}

void DeviceOptions::createFields()
{
    m_transfer = choiceBox(u"transferBox"_s, tr("Transfer model"), tr("How moving bytes and computing get along: blocking waits, DMA moves bytes meanwhile, paper adds costs up as published"));
    m_transfer->addItem(tr("as the device says"), -1);
    for (TransferModel model : {TransferModel::Blocking, TransferModel::Dma, TransferModel::Paper})
        m_transfer->addItem(text::transfer(model), static_cast<int>(model));
    m_library = choiceBox(u"libraryBox"_s, tr("Kernel library"), tr("Whose kernels the rates are of"));
    m_store = choiceBox(u"storeBox"_s, tr("Page store"), tr("Where paged tensors go"));
    m_capacity = textField(u"capacityField"_s, tr("Room in the page store"), tr("the store's"), tr("Such as 64MiB; wins over the store's own"));
    m_written = textField(u"writtenField"_s, tr("Most bytes written in one step"), tr("no limit"), tr("Such as 1MiB: bounds wear"));
    m_lifetime = textField(u"lifetimeField"_s, tr("Steps that the page store shall last"), tr("no wish"), tr("A number of training steps: another way to bound wear"));
    m_period = textField(u"periodField"_s, tr("Time between the starts of two steps"), tr("as fast as possible"), tr("Such as 1s: idle power in between counts, and the period is a deadline"));
    m_cautious = new QCheckBox(tr("Cautious numbers"));
    m_cautious->setObjectName(u"cautiousBox"_s);
    m_cautious->setToolTip(tr("Plan with every uncertain number at its 90 % end"));
}

void DeviceOptions::setChoices(const DeviceChoices& choices)
{
    for (const auto& [box, names] : {std::pair(m_library, &choices.libraries), std::pair(m_store, &choices.stores)}) {
        const QString chosen = box->currentData().toString();
        box->clear();
        for (const QString& name : *names)
            box->addItem(name, box->count() == 0 ? QString() : name);  // the first is the default, unnamed
        box->setCurrentIndex(std::max(0, box->findData(chosen)));
        box->setEnabled(box->count() > 1);
    }
}

void DeviceOptions::showSetup(const ModelSetup& setup)
{
    m_transfer->setCurrentIndex(m_transfer->findData(setup.transfer ? static_cast<int>(*setup.transfer) : -1));
    m_library->setCurrentIndex(std::max(0, m_library->findData(setup.library)));
    m_store->setCurrentIndex(std::max(0, m_store->findData(setup.store)));
    m_capacity->setText(setup.storeCapacity);
    m_written->setText(setup.maxWritten);
    m_lifetime->setText(setup.lifetimeSteps);
    m_period->setText(setup.period);
    m_cautious->setChecked(setup.isConservative);
    const bool hasMore = !setup.library.isEmpty() || !setup.store.isEmpty() || !setup.storeCapacity.isEmpty() || !setup.maxWritten.isEmpty() ||
                         !setup.lifetimeSteps.isEmpty() || !setup.period.isEmpty() || setup.isConservative;
    if (hasMore)  // what counts is never folded away
        findChild<QToolButton*>()->setChecked(true);
}

void DeviceOptions::fill(ModelSetup& setup) const
{
    setup.transfer.reset();
    if (m_transfer->currentData().toInt() >= 0)
        setup.transfer = static_cast<TransferModel>(m_transfer->currentData().toInt());
    setup.library = m_library->currentData().toString();
    setup.store = m_store->currentData().toString();
    setup.storeCapacity = text::from(text::typed(m_capacity->text().trimmed()));
    setup.maxWritten = text::from(text::typed(m_written->text().trimmed()));
    setup.lifetimeSteps = text::from(text::typed(m_lifetime->text().trimmed()));
    setup.period = text::from(text::typed(m_period->text().trimmed()));
    setup.isConservative = m_cautious->isChecked();
}

}  // namespace poet
