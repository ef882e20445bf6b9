// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/dag/box_item.h"
#include "widgets/dag/edges_item.h"
#include "widgets/document/layout_service.h"

#include <QGraphicsView>
#include <QSet>

#include <optional>

class QLabel;

namespace poet {

class DagLegend;
class Minimap;

/// The training graph. Reads DocumentState, sends selections to it. A plan changes looks, never positions.
class DagView : public QGraphicsView {
    Q_OBJECT
public:
    DagView(DocumentState& state, LayoutService& layouts, QWidget* parent = nullptr);

    void setColoring(DagColoring coloring);
    [[nodiscard]] DagColoring coloring() const { return m_coloring; }
    void fitAll();
    void zoomTo(double scale);
    void zoomBy(double factor);
    void zoomToSelection();
    void setHorizontal(bool isHorizontal);
    [[nodiscard]] bool isHorizontal() const { return m_isHorizontal; }
    void collapseAll(bool isCollapsed);
    void toggleBlock(const QString& block);
    [[nodiscard]] const QSet<QString>& collapsedBlocks() const { return m_collapsed; }
    /// Also for a problem that the state has already, but this view not yet.
    void setCollapsedBlocks(const QSet<QString>& blocks);
    /// Gives up the layout that is being made: what is shown stays; a model that is not shown yet gets the simple layout.
    void cancelLayout();
    /// Shows only the selection and its neighbours; again: everything.
    void toggleIsolation();
    [[nodiscard]] const DagModel& model() const { return m_model; }
    [[nodiscard]] const Layout& layout() const { return m_layout; }
    [[nodiscard]] BoxItem* itemOf(NodeId node) const;
    /// Nodes to mark as found by a search.
    void setWheelZooms(bool wheelZooms) { m_wheelZooms = wheelZooms; }

Q_SIGNALS:
    void layoutShown(const QString& engine, int boxes);
    void message(const QString& text);
    /// The user collapsed or expanded blocks: both sets, for undo.
    void collapseEdited(const QSet<QString>& before, const QSet<QString>& after);

protected:
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void changeEvent(QEvent* event) override;

private:
    static constexpr double kSmallestScale = 0.02;
    static constexpr double kLargestScale = 4;

    /// What a layout was asked for.
    struct Arrangement {
        QString path;
        int nodes = 0;  ///< of the problem
        QSet<QString> collapsed;
        QSet<int> isolated;
        bool isHorizontal = false;
    };

    void refresh(DocumentState::Aspects aspects);
    void takeProblem();
    void rebuild(bool keepPlace);
    void showLayout(const Layout& layout);
    void updateLooks();
    void centerOn(NodeId node);
    void moveSelection(int key);
    void applyOrientation(Layout& layout) const;
    [[nodiscard]] BoxItem* boxAt(const QPoint& at) const;

    DocumentState& m_state;
    LayoutService& m_layouts;
    QGraphicsScene* m_scene = nullptr;
    Minimap* m_minimap = nullptr;
    DagLegend* m_legend = nullptr;
    DagModel m_model;
    DagModel m_nextModel;
    Layout m_layout;
    Arrangement m_shown;  ///< as m_model and m_layout are
    std::vector<BoxItem*> m_items;
    EdgesItem* m_edgesItem = nullptr;
    DagColoring m_coloring = DagColoring::Decision;
    QSet<QString> m_collapsed;
    std::optional<QSet<QString>> m_nextCollapsed;  ///< for the problem that is about to be shown
    ProblemPtr m_builtFor;                         ///< the problem that m_collapsed is of
    QSet<int> m_isolated;
    bool m_isHorizontal = false;
    bool m_wheelZooms = true;
    bool m_isPanning = false;
    bool m_isSpaceDown = false;
    bool m_fitsNext = true;
    bool m_showsLineage = false;  ///< all ancestors and descendants of the selection, not only neighbours
    int m_aloneEdge = -1;
    QPoint m_lastMouse;
    NodeId m_anchorNode = -1;   ///< keeps its place on screen over a collapse
    QPointF m_anchorPlace;
};

}  // namespace poet
