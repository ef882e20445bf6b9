// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dag/dag_view.h"

#include "widgets/dag/legend.h"
#include "widgets/dag/minimap.h"

#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <utility>

namespace poet {

namespace {

constexpr double kMinimapSpace = 100;
constexpr int kCollapseAbove = 600;
constexpr int kRefuseAbove = 3000;

}  // namespace

DagView::DagView(DocumentState& state, LayoutService& layouts, QWidget* parent)
    : QGraphicsView(parent), m_state(state), m_layouts(layouts), m_scene(new QGraphicsScene(this))
{
    setObjectName(QStringLiteral("graphView"));
    setAccessibleName(tr("Training graph"));
    setAccessibleDescription(tr("Forward operations on the left, their gradients on the right; arrow keys move the selection."));
    setWhatsThis(tr("The training graph. Forward operations go down the left side, their gradients up the right side; an arrow across the "
                    "ladder is a tensor that backward needs, and its pattern says what the shown plan does with it."));
    m_scene->setItemIndexMethod(QGraphicsScene::BspTreeIndex);
    setScene(m_scene);
    setOptimizationFlags(DontAdjustForAntialiasing | DontSavePainterState);
    setViewportUpdateMode(SmartViewportUpdate);
    setTransformationAnchor(NoAnchor);
    setResizeAnchor(AnchorViewCenter);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    m_minimap = new Minimap(*this);
    m_legend = new DagLegend(this);
    m_minimap->hide();
    m_legend->hide();
    connect(&m_state, &DocumentState::changed, this, &DagView::refresh);
    connect(&m_layouts, &LayoutService::ready, this, &DagView::showLayout);
}

void DagView::refresh(DocumentState::Aspects aspects)
{
    if (aspects & DocumentState::ProblemAspect) {
        takeProblem();
        return;
    }
    if (aspects & DocumentState::SelectionAspect) {
        m_aloneEdge = -1;
        m_showsLineage = m_showsLineage && m_state.selection().node >= 0;
        const NodeId node = m_state.selection().node;
        if (BoxItem* item = node >= 0 ? itemOf(node) : nullptr) {
            const QRectF shown = mapToScene(viewport()->rect()).boundingRect();
            if (!shown.intersects(item->sceneBoundingRect()))
                centerOn(node);
        }
    }
    if (aspects & (DocumentState::PlanAspect | DocumentState::SelectionAspect | DocumentState::HoverAspect | DocumentState::CursorAspect))
        updateLooks();
}

void DagView::takeProblem()
{
    // The same model on another device, or with another loss, is the same picture: it stays where it is.
    const ProblemPtr before = std::exchange(m_builtFor, m_state.problem());
    const bool isSameModel = before && m_builtFor && !m_builtFor->path.isEmpty() && before->path == m_builtFor->path &&
                             before->graph->size() == m_builtFor->graph->size();
    m_aloneEdge = -1;
    m_anchorNode = -1;
    if (!isSameModel) {
        m_collapsed.clear();
        m_isolated.clear();
        m_fitsNext = true;
    }
    m_collapsed = std::exchange(m_nextCollapsed, std::nullopt).value_or(m_collapsed);
    rebuild(isSameModel);
}

void DagView::rebuild(bool keepPlace)
{
    const ProblemPtr& problem = m_state.problem();
    if (!problem) {
        m_scene->clear();
        m_items.clear();
        m_edgesItem = nullptr;
        m_model = {};
        m_minimap->hide();
        m_legend->hide();
        return;
    }
    if (keepPlace) {
        m_anchorNode = m_state.selection().node;
        if (BoxItem* item = m_anchorNode >= 0 ? itemOf(m_anchorNode) : nullptr)
            m_anchorPlace = QPointF(mapFromScene(item->pos()));
        else
            m_anchorNode = -1;
    }
    const QFontMetricsF metrics(font());
    DagModel model = makeDagModel(*problem, m_collapsed, m_isolated, metrics);
    if (!keepPlace && static_cast<int>(model.boxes.size()) > kCollapseAbove && !model.blocks.isEmpty() && m_collapsed.isEmpty()) {
        m_collapsed = QSet<QString>(model.blocks.begin(), model.blocks.end());
        model = makeDagModel(*problem, m_collapsed, m_isolated, metrics);
        Q_EMIT message(tr("%1 nodes: the blocks are shown collapsed. Double-click a block to open it.").arg(problem->graph->size()));
    }
    if (keepPlace && static_cast<int>(model.boxes.size()) > kRefuseAbove) {
        Q_EMIT message(tr("%1 boxes are too many to draw: collapse a block first.").arg(model.boxes.size()));
        return;
    }
    m_nextModel = std::move(model);
    GraphView view = m_nextModel.view;
    if (m_isHorizontal)
        for (GraphViewNode& node : view.nodes)
            std::swap(node.width, node.height);
    m_layouts.request(view);
}

void DagView::applyOrientation(Layout& layout) const
{
    if (!m_isHorizontal)
        return;
    std::swap(layout.width, layout.height);
    for (LayoutPoint& point : layout.centers)
        std::swap(point.x, point.y);
    for (auto& points : layout.edges)
        for (LayoutPoint& point : points)
            std::swap(point.x, point.y);
}

void DagView::showLayout(const Layout& layout)
{
    if (layout.centers.size() != m_nextModel.boxes.size() || layout.edges.size() != m_nextModel.edges.size())
        return;
    m_model = m_nextModel;
    m_layout = layout;
    m_shown = {m_builtFor ? m_builtFor->path : QString(), m_builtFor ? m_builtFor->graph->size() : 0, m_collapsed, m_isolated, m_isHorizontal};
    applyOrientation(m_layout);
    m_scene->clear();
    m_items.clear();
    m_edgesItem = new EdgesItem(m_model, m_layout);
    m_scene->addItem(m_edgesItem);
    for (std::size_t b = 0; b < m_model.boxes.size(); ++b) {
        auto* item = new BoxItem(m_model.boxes[b], static_cast<int>(b), font());
        item->setPos(m_layout.centers[b].x, m_layout.centers[b].y);
        m_scene->addItem(item);
        m_items.push_back(item);
    }
    m_minimap->setContent(QRectF(0, 0, m_layout.width, m_layout.height));
    // Room to scroll every box into the middle.
    m_scene->setSceneRect(QRectF(0, 0, m_layout.width, m_layout.height).adjusted(-60, -30, 60 + kMinimapSpace, 60));
    updateLooks();
    if (m_fitsNext) {
        m_fitsNext = false;
        fitAll();
        // A long ladder fitted whole is a thin line: start at the top, readable.
        if (transform().m11() < kFullDetail) {
            // Beside the minimap, which covers the right edge.
            const double aside = m_isHorizontal ? 0 : kMinimapSpace;
            const double across = m_isHorizontal ? viewport()->height() / (m_layout.height + 40) : (viewport()->width() - aside) / (m_layout.width + 40);
            zoomTo(std::clamp(across, 0.6, 1.0));
            // What does not fit begins with the forward side.
            const double room = (m_isHorizontal ? viewport()->height() : viewport()->width() - aside) / transform().m11();
            const double middle = m_isHorizontal ? std::min(m_layout.height, room) / 2 : std::min(m_layout.width, room) / 2 + aside / 2 / transform().m11();
            QGraphicsView::centerOn(m_isHorizontal ? QPointF(0, middle) : QPointF(middle, 0));
        }
    } else if (BoxItem* item = m_anchorNode >= 0 ? itemOf(m_anchorNode) : nullptr) {
        const QPoint now = mapFromScene(item->pos());
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() + now.x() - static_cast<int>(m_anchorPlace.x()));
        verticalScrollBar()->setValue(verticalScrollBar()->value() + now.y() - static_cast<int>(m_anchorPlace.y()));
    }
    m_legend->setVisible(true);
    m_minimap->follow();
    Q_EMIT layoutShown(QString::fromStdString(layout.engine), static_cast<int>(m_model.boxes.size()));
}

void DagView::updateLooks()
{
    if (!m_edgesItem || !m_state.problem() || m_model.boxOf.size() != m_state.problem()->graph->nodes.size())
        return;
    std::vector<BoxLook> looks = makeBoxLooks(m_model, m_state, m_coloring, palette());
    if (m_showsLineage)
        markLineage(m_model, m_state, looks);
    for (std::size_t b = 0; b < m_items.size(); ++b)
        m_items[b]->setLook(looks[b]);
    std::vector<EdgesItem::EdgeLook> edges(m_model.edges.size());
    const NodeId selected = m_state.selection().node;
    const int selectedBox = selected >= 0 ? m_model.boxOf[static_cast<std::size_t>(selected)] : -1;
    for (std::size_t e = 0; e < edges.size(); ++e) {
        const DagEdge& edge = m_model.edges[e];
        if (m_state.plan())
            edges[e].fate = m_state.facts().fates[static_cast<std::size_t>(edge.tensor)];
        edges[e].isInput = m_aloneEdge < 0 && selectedBox >= 0 && edge.to == selectedBox;
        edges[e].isOutput = m_aloneEdge < 0 && selectedBox >= 0 && edge.from == selectedBox;
        edges[e].isAlone = static_cast<int>(e) == m_aloneEdge;
    }
    m_edgesItem->setLooks(std::move(edges), selectedBox >= 0 || m_aloneEdge >= 0);
    m_legend->show(legendRows(m_model, m_state, m_coloring, palette()));
    resizeEvent(nullptr);
}

BoxItem* DagView::itemOf(NodeId node) const
{
    if (node < 0 || static_cast<std::size_t>(node) >= m_model.boxOf.size())
        return nullptr;
    const int box = m_model.boxOf[static_cast<std::size_t>(node)];
    return box < 0 || static_cast<std::size_t>(box) >= m_items.size() ? nullptr : m_items[static_cast<std::size_t>(box)];
}

void DagView::setColoring(DagColoring coloring)
{
    m_coloring = coloring;
    updateLooks();
}

void DagView::fitAll()
{
    if (m_items.empty())
        return;
    fitInView(QRectF(0, 0, m_layout.width, m_layout.height), Qt::KeepAspectRatio);
    if (transform().m11() > 1.2)
        zoomTo(1.2);
    m_minimap->follow();
}

void DagView::zoomTo(double scale)
{
    zoomBy(scale / transform().m11());
}

void DagView::zoomBy(double factor)
{
    const double target = std::clamp(transform().m11() * factor, kSmallestScale, kLargestScale);
    const QPointF center = mapToScene(viewport()->rect().center());
    setTransform(QTransform::fromScale(target, target));
    QGraphicsView::centerOn(center);
    m_minimap->follow();
}

void DagView::zoomToSelection()
{
    BoxItem* item = itemOf(m_state.selection().node);
    if (!item) {
        fitAll();
        return;
    }
    QRectF area = item->sceneBoundingRect();
    for (const DagEdge& edge : m_model.edges)
        if (edge.from == item->index() || edge.to == item->index())
            area |= m_items[static_cast<std::size_t>(edge.from == item->index() ? edge.to : edge.from)]->sceneBoundingRect();
    fitInView(area.adjusted(-20, -20, 20, 20), Qt::KeepAspectRatio);
    if (transform().m11() > 1.5)
        zoomTo(1.5);
    m_minimap->follow();
}

void DagView::centerOn(NodeId node)
{
    if (BoxItem* item = itemOf(node))
        QGraphicsView::centerOn(item);
    m_minimap->follow();
}

void DagView::setHorizontal(bool isHorizontal)
{
    if (isHorizontal == m_isHorizontal)
        return;
    m_isHorizontal = isHorizontal;
    m_fitsNext = true;
    rebuild(true);
}

void DagView::collapseAll(bool isCollapsed)
{
    const QSet<QString> before = m_collapsed;
    setCollapsedBlocks(isCollapsed ? QSet<QString>(m_model.blocks.begin(), m_model.blocks.end()) : QSet<QString>());
    if (m_collapsed != before)
        Q_EMIT collapseEdited(before, m_collapsed);
}

void DagView::setCollapsedBlocks(const QSet<QString>& blocks)
{
    if (m_builtFor != m_state.problem()) {
        m_nextCollapsed = blocks;
        return;
    }
    if (blocks == m_collapsed)
        return;
    m_collapsed = blocks;
    rebuild(true);
}

void DagView::toggleBlock(const QString& block)
{
    if (block.isEmpty())
        return;
    QSet<QString> blocks = m_collapsed;
    if (!blocks.remove(block))
        blocks.insert(block);
    const QSet<QString> before = m_collapsed;
    setCollapsedBlocks(blocks);
    Q_EMIT collapseEdited(before, blocks);
}

void DagView::cancelLayout()
{
    if (!m_layouts.isRunning())
        return;
    const bool isShown = !m_items.empty() && m_builtFor && m_shown.path == m_builtFor->path && m_shown.nodes == m_builtFor->graph->size();
    if (!isShown) {
        m_layouts.useLadder();
        return;
    }
    m_layouts.cancel();
    m_collapsed = m_shown.collapsed;
    m_isolated = m_shown.isolated;
    m_isHorizontal = m_shown.isHorizontal;
    m_fitsNext = false;
}

void DagView::toggleIsolation()
{
    if (!m_isolated.isEmpty())
        m_isolated.clear();
    else if (BoxItem* item = itemOf(m_state.selection().node))
        m_isolated = QSet<int>(item->box().members.begin(), item->box().members.end());
    else
        return;
    m_fitsNext = true;
    rebuild(true);
}

void DagView::resizeEvent(QResizeEvent* event)
{
    if (event)
        QGraphicsView::resizeEvent(event);
    if (!m_minimap || !m_legend)
        return;
    const QSize area = viewport()->size();
    // The minimap has the graph's own proportions: a ladder is a narrow strip.
    const QSizeF graph = m_layout.width > 0 && m_layout.height > 0 ? QSizeF(m_layout.width, m_layout.height) : QSizeF(1, 1);
    const QSize map = graph.scaled(std::max(area.width() / 6.0, 90.0), std::max(area.height() * 0.6, 90.0), Qt::KeepAspectRatio)
                          .expandedTo(QSizeF(46, 46)).toSize();
    m_minimap->setGeometry(QRect(QPoint(area.width() - map.width() - 10, area.height() - map.height() - 10), map));
    m_legend->setRoom(area.width() - map.width() - 30);
    m_legend->move(10, area.height() - m_legend->height() - 10);
    m_minimap->follow();
}

void DagView::scrollContentsBy(int dx, int dy)
{
    QGraphicsView::scrollContentsBy(dx, dy);
    if (m_minimap)
        m_minimap->follow();
}

void DagView::changeEvent(QEvent* event)
{
    QGraphicsView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        updateLooks();
}

}  // namespace poet
