// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document_state.h"
#include "widgets/timeline/memory_painter.h"

#include <QAbstractScrollArea>

#include <memory>
#include <optional>
#include <vector>

namespace poet {

/// Lanes above, memory below, one time axis for both. Keyboard: W/S zoom, A/D pan, arrows and , . walk the events,
/// F fits, R makes a range from the selection, Escape clears.
class TimelineView : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit TimelineView(DocumentState& state, QWidget* parent = nullptr);

    void setUnit(TimelineUnit unit);
    [[nodiscard]] TimelineUnit unit() const { return m_model.unit; }
    void setMemoryForm(MemoryForm form);
    void setDetail(int tensors);
    void fitAll();
    void zoomBy(double factor);
    /// A range from the selected event.
    void rangeFromSelection();
    void clearRange();
    void stepEvent(int direction);  ///< neighbouring event: selects it
    void stepLane(int direction);   ///< the event of the lane above (-1) or below (1) that is nearest in time: selects it
    /// The wheel zooms at the cursor, or pans; with Ctrl it zooms in any case.
    void setWheelZooms(bool wheelZooms) { m_wheelZooms = wheelZooms; }
    void setLaneHidden(LaneKind kind, bool isHidden);
    /// A pinned lane stands above the others and stays when the view is too low for all.
    void setLanePinned(LaneKind kind, bool isPinned);
    void moveLane(LaneKind kind, int direction);
    /// Order, hidden and pinned lanes as one text, such as "page-out* compute recompute- page-in", for the settings.
    [[nodiscard]] QString laneSettings() const;
    void applyLaneSettings(const QString& settings);
    /// True when the lane is drawn: not hidden, and there is room for it.
    [[nodiscard]] bool isLaneShown(LaneKind kind) const;

    // For tests and export.
    [[nodiscard]] const TimeAxis& axis() const { return m_axis; }
    [[nodiscard]] const TimelineModel& model() const { return m_model; }
    [[nodiscard]] QRectF laneRect(LaneKind kind) const;
    [[nodiscard]] QRectF memoryRect() const;
    [[nodiscard]] MemoryScale memoryScale() const;
    [[nodiscard]] std::optional<std::pair<double, double>> range() const { return m_range; }
    /// "12.4 ms, 61 KiB, 0.4 mJ" of the range; empty without one.
    [[nodiscard]] QString rangeText() const;
    void renderTo(QPainter& painter, const QRect& area);

Q_SIGNALS:
    void rangeChanged(const QString& text);
    void lanesChanged();
    /// The instant that was clicked in the memory part: its step.
    void instantPicked(int step);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    bool viewportEvent(QEvent* event) override;

private:
    void refresh(DocumentState::Aspects aspects);
    void rebuild(bool keepView);
    /// The document changes at once, views hear of it a turn later: whoever reads both calls this first.
    void catchUp();
    void updateGeometryValues();
    void updateScrollBar();
    void paintAll(QPainter& painter);
    void paintEmpty(QPainter& painter);
    void paintRuler(QPainter& painter);
    void paintHeaders(QPainter& painter);
    void paintArrows(QPainter& painter);
    void paintArrow(QPainter& painter, int from, int to, Qt::PenStyle pattern) const;
    [[nodiscard]] int useAfter(NodeId node, int step) const;
    void paintMarks(QPainter& painter);
    void paintRange(QPainter& painter);
    void setRange(double from, double to);
    [[nodiscard]] const TimelineEvent* eventAtPoint(const QPointF& at) const;
    [[nodiscard]] LaneContext laneContext() const;
    [[nodiscard]] QString tooltipAt(const QPointF& at) const;
    void selectStep(int step);
    void sortPinnedFirst();
    [[nodiscard]] bool isShown(const TimelineLane& lane) const;
    [[nodiscard]] double laneHeight() const;

    DocumentState& m_state;
    TimeAxis m_axis;
    TimelineModel m_model;
    std::unique_ptr<TimelineModel> m_ghost;
    std::vector<std::unique_ptr<TimelineLane>> m_lanes;
    TimelineUnit m_wantedUnit = TimelineUnit::Time;
    MemoryForm m_form = MemoryForm::Total;
    int m_detail = 20;
    std::optional<std::pair<double, double>> m_range;
    double m_dragFrom = 0;
    bool m_isDragging = false;
    bool m_isPanning = false;
    bool m_isSyncingBar = false;
    bool m_wheelZooms = true;
    QPoint m_lastMouse;
    double m_cursorX = -1;
    MemoryCache m_memoryCache;
    PlanPtr m_builtFor;  ///< the plan that m_model is of
};

}  // namespace poet
