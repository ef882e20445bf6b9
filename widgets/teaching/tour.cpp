// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/teaching/tour.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace poet {

namespace {
constexpr int kCardWidth = 340;
constexpr int kDistance = 14;  // between the part and its card
}  // namespace

/// Dims everything but one rectangle; lets the mouse through.
class Tour::Shade : public QWidget {
public:
    explicit Shade(QWidget* window) : QWidget(window)
    {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setFocusPolicy(Qt::NoFocus);
        hide();
    }
    void setHole(const QRect& hole)
    {
        m_hole = hole;
        setGeometry(parentWidget()->rect());
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        QPainterPath dim;
        dim.addRect(QRectF(rect()));
        dim.addRoundedRect(QRectF(m_hole), 5, 5);  // the odd-even rule leaves the hole clear
        painter.fillPath(dim, QColor(0, 0, 0, 105));
        painter.setPen(QPen(palette().color(QPalette::Highlight), 3));
        painter.drawRoundedRect(QRectF(m_hole).adjusted(1, 1, -1, -1), 5, 5);
    }

private:
    QRect m_hole;
};

Tour::Tour(std::vector<TourStop> stops, QWidget* window) : QFrame(window), m_stops(std::move(stops)), m_shade(new Shade(window))
{
    setObjectName(QStringLiteral("tour"));
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setFixedWidth(kCardWidth);
    hide();
    build();
    connect(this, &QObject::destroyed, m_shade, &QObject::deleteLater);  // a child of the window, not of the card
    window->installEventFilter(this);
}

Tour::~Tour() = default;

void Tour::build()
{
    m_title = new QLabel;
    QFont bold = font();
    bold.setBold(true);
    bold.setPointSizeF(bold.pointSizeF() * 1.15);
    m_title->setFont(bold);
    m_title->setWordWrap(true);
    m_text = new QLabel;
    m_text->setWordWrap(true);
    m_count = new QLabel;
    m_count->setForegroundRole(QPalette::PlaceholderText);
    auto* skip = new QPushButton(tr("Leave the tour"));
    m_back = new QPushButton(tr("Back"));
    m_next = new QPushButton;
    m_next->setDefault(true);
    auto* row = new QHBoxLayout;
    row->addWidget(skip);
    row->addStretch();
    row->addWidget(m_back);
    row->addWidget(m_next);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 12, 14, 12);
    column->setSpacing(8);
    column->addWidget(m_title);
    column->addWidget(m_text);
    column->addWidget(m_count);
    column->addLayout(row);
    connect(skip, &QPushButton::clicked, this, &Tour::leave);
    connect(m_back, &QPushButton::clicked, this, [this] { move(-1); });
    connect(m_next, &QPushButton::clicked, this, [this] { move(1); });
}

void Tour::start() { show(0, 1); }

void Tour::move(int direction)
{
    if (isRunning())
        show(m_stop + direction, direction);
}

void Tour::leave()
{
    if (!isRunning())
        return;
    m_stop = -1;
    m_target = nullptr;
    hide();
    m_shade->hide();
    Q_EMIT ended();
}

void Tour::show(int stop, int direction)
{
    QWidget* target = nullptr;
    while (stop >= 0 && stop < stopCount() && !(target = m_stops[static_cast<std::size_t>(stop)].target()))
        stop += direction;
    if (stop >= stopCount()) {
        m_stop = std::max(m_stop, 0);  // leave() only ends what has begun
        leave();
        return;
    }
    if (stop < 0)
        return;  // nothing before the first one
    m_stop = stop;
    m_target = target;
    const TourStop& shown = m_stops[static_cast<std::size_t>(stop)];
    m_title->setText(shown.title);
    m_text->setText(shown.text);
    m_count->setText(tr("%1 of %2").arg(stop + 1).arg(stopCount()));
    m_back->setEnabled(stop > 0);
    m_next->setText(stop + 1 == stopCount() ? tr("Done") : tr("Next"));
    setAccessibleName(shown.title);
    setAccessibleDescription(shown.text);
    place();
    m_shade->show();
    m_shade->raise();
    QFrame::show();
    raise();
    m_next->setFocus();
    if (QAccessible::isActive()) {
        QAccessibleEvent alert(this, QAccessible::Alert);
        QAccessible::updateAccessibility(&alert);
    }
}

/// Beside the part where there is room: right, left, below, above; else inside its lower right corner.
void Tour::place()
{
    if (!m_target)
        return;
    QWidget* window = parentWidget();
    const QRect part = QRect(m_target->mapTo(window, QPoint()), m_target->size()).adjusted(-3, -3, 3, 3) & window->rect();
    m_shade->setHole(part);
    resize(kCardWidth, heightForWidth(kCardWidth) > 0 ? heightForWidth(kCardWidth) : sizeHint().height());
    const auto inWindow = [&](QPoint at) {
        return QPoint(std::clamp(at.x(), 0, std::max(0, window->width() - width())), std::clamp(at.y(), 0, std::max(0, window->height() - height())));
    };
    const QPoint places[] = {{part.right() + kDistance, part.top()},
                             {part.left() - kDistance - width(), part.top()},
                             {part.center().x() - width() / 2, part.bottom() + kDistance},
                             {part.center().x() - width() / 2, part.top() - kDistance - height()}};
    for (const QPoint& wanted : places)
        if (const QPoint at = inWindow(wanted); !QRect(at, size()).intersects(part)) {
            QFrame::move(at);
            return;
        }
    QFrame::move(inWindow(part.bottomRight() - QPoint(width() + kDistance, height() + kDistance)));
}

void Tour::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Escape: leave(); return;
    case Qt::Key_Right:
    case Qt::Key_Return:
    case Qt::Key_Enter: move(1); return;
    case Qt::Key_Left: move(-1); return;
    default: QFrame::keyPressEvent(event);
    }
}

bool Tour::eventFilter(QObject* watched, QEvent* event)
{
    if (isRunning() && watched == parentWidget() && (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest))
        QMetaObject::invokeMethod(this, &Tour::place, Qt::QueuedConnection);
    return QFrame::eventFilter(watched, event);
}

}  // namespace poet
