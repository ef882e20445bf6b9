// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/status_text.h"
#include "widgets/dag/dag_view.h"
#include "widgets/export/paper_colors.h"
#include "widgets/export/view_tables.h"
#include "widgets/inspector/compare_panel.h"
#include "widgets/inspector/events_table.h"
#include "widgets/inspector/summary_panel.h"
#include "widgets/pareto/heat_map.h"
#include "widgets/pareto/pareto_chart.h"
#include "widgets/pareto/plans_table.h"
#include "widgets/report/report_panel.h"
#include "widgets/style/text.h"
#include "widgets/teaching/break_even_view.h"
#include "widgets/teaching/side_by_side.h"
#include "widgets/timeline/timeline_view.h"
#include "widgets/window/main_window.h"
#include "widgets/window/message_bar.h"

#include <QAbstractTextDocumentLayout>
#include <QApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QStackedWidget>
#include <QTextBrowser>
#include <QTextDocument>

#include <algorithm>

/// The views of MainWindow as pictures and tables.
namespace poet {

using namespace Qt::StringLiterals;

namespace {

/// A view behind another tab may never have been laid out.
constexpr QSize kLeastSize(640, 320);

QSize sizeOf(QWidget* view)
{
    if (!view->isVisible())
        view->resize(view->size().expandedTo(kLeastSize));
    return view->size();
}

/// Draws a whole text, whatever part of it the view shows.
std::function<void(QPainter&, const QRect&)> drawingOf(QTextDocument* document)
{
    return [document](QPainter& painter, const QRect& area) {
        painter.translate(area.topLeft());
        QAbstractTextDocumentLayout::PaintContext context;
        context.palette = style::lightPalette();
        document->documentLayout()->draw(&painter, context);
    };
}

/// For views with a renderTo() of their own.
template <class View>
ExportPicture renderedPicture(View* view)
{
    ExportPicture picture;
    picture.size = sizeOf(view);
    picture.draw = [view](QPainter& painter, const QRect& area) {
        const PaperColors paper(*view);
        view->renderTo(painter, area);
    };
    return picture;
}

}  // namespace

QString MainWindow::pictureTitle() const
{
    if (!m_state->problem())
        return {};
    const PlanQuery& query = m_state->controls().query;
    QStringList parts{m_state->problem()->title};
    if (!m_state->problem()->deviceName.isEmpty())
        parts << m_state->problem()->deviceName;
    parts << tr("budget %1").arg(text::bytes(query.memoryBytes)) << (query.deadlineSeconds ? tr("deadline %1").arg(text::seconds(*query.deadlineSeconds)) : tr("no deadline"))
          << describeStatus(*m_state).headline;
    return parts.join(u", "_s);
}

ExportPicture MainWindow::graphPicture() const
{
    const QRectF all(0, 0, m_dag->layout().width, m_dag->layout().height);
    ExportPicture picture;
    picture.size = all.size().toSize().expandedTo(QSize(200, 100));
    picture.draw = [this, all](QPainter& painter, const QRect& area) {
        const PaperColors paper(*m_dag, m_dag->scene());
        m_dag->scene()->render(&painter, area, all);
    };
    picture.csv = [problem = m_state->problem(), fates = m_state->facts().fates] { return nodesCsv(*problem, fates); };
    return picture;
}

ExportPicture MainWindow::strategiesPicture()
{
    m_sideBySide->catchUp();
    ExportPicture picture = renderedPicture(m_sideBySide);
    picture.csv = [problem = m_state->problem(), columns = m_sideBySide->columns()] { return strategiesCsv(*problem, columns); };
    return picture;
}

ExportPicture MainWindow::breakEvenPicture()
{
    m_breakEven->catchUp();
    ExportPicture picture = renderedPicture(m_breakEven);
    picture.csv = [problem = m_state->problem(), points = m_breakEven->points(), line = m_breakEven->line()] { return breakEvenCsv(*problem, points, line); };
    return picture;
}

ExportPicture MainWindow::summaryPicture()
{
    static_cast<void>(m_summary->html());  // catches up
    QTextDocument* text = m_summary->findChild<QTextBrowser*>()->document();
    ExportPicture picture;
    picture.size = text->size().toSize();
    picture.draw = drawingOf(text);
    picture.csv = [problem = m_state->problem(), plan = m_state->plan(), pinned = m_state->comparePlan()] { return summaryCsv(*problem, *plan, pinned.get()); };
    return picture;
}

ExportPicture MainWindow::eventsPicture() const
{
    ExportPicture picture;
    picture.sheet = [rows = m_table->rows()] { return sheetOf(rows.table()); };
    picture.csv = [rows = m_table->rows()] { return rows.csv(); };
    return picture;
}

ExportPicture MainWindow::comparisonPicture()
{
    m_compare->catchUp();
    ExportPicture picture;
    if (m_compare->figures().empty()) {
        picture.emptyReason = tr("There is nothing to export: nothing was compared yet.");
        return picture;
    }
    picture.sheet = [sheet = m_compare->sheet()] { return sheet; };
    picture.csv = [figures = m_compare->figures()] { return comparisonCsv(figures); };
    return picture;
}

/// The views in the order of the menu; what they show is asked for only when they are exported.
const std::vector<MainWindow::ExportableView>& MainWindow::exportableViews()
{
    if (m_exportable.empty())
        m_exportable = {{m_dag, "graph", false, [this] { return graphPicture(); }},
                        {m_timeline, "timeline", true,
                         [this] {
                             ExportPicture picture = renderedPicture(m_timeline);
                             picture.size = m_timeline->viewport()->size();
                             picture.csv = [rows = m_table->rows()] { return rows.csv(); };
                             return picture;
                         }},
                        {m_chart, "pareto", true,
                         [this] {
                             ExportPicture picture = renderedPicture(m_chart);
                             picture.csv = [csv = m_pareto->csv()] { return csv; };
                             return picture;
                         }},
                        {m_heatMap, "heat-map", false,
                         [this] {
                             m_heatMap->catchUp();
                             ExportPicture picture = renderedPicture(m_heatMap);
                             picture.csv = [grid = m_heatMap->grid()] { return heatGridCsv(grid); };
                             return picture;
                         }},
                        {m_sideBySide, "strategies", true, [this] { return strategiesPicture(); }},
                        {m_breakEven, "break-even", true, [this] { return breakEvenPicture(); }},
                        {m_summary, "summary", true, [this] { return summaryPicture(); }},
                        {m_table, "events", true, [this] { return eventsPicture(); }},
                        {m_compare, "comparison", false, [this] { return comparisonPicture(); }},
                        {m_plans, "plans", true, [this] {
                             ExportPicture picture;
                             picture.sheet = [table = m_plans->sheetTable()] { return sheetOf(table); };
                             picture.csv = [csv = m_pareto->csv()] { return csv; };
                             return picture;
                         }},
                        {m_report, "report", false, [this] {
                             ExportPicture picture;
                             picture.sheet = [table = m_report->sheetTable()] { return sheetOf(table); };
                             picture.csv = [csv = m_report->csv()] { return csv; };
                             return picture;
                         }}};
    return m_exportable;
}

ExportPicture MainWindow::picture(std::size_t index)
{
    const ExportableView& view = exportableViews()[index];
    ExportPicture picture;
    if (!m_state->problem())
        picture.emptyReason = tr("There is nothing to export: no model is open.");
    else if (view.needsPlan && !m_state->plan())
        picture.emptyReason = tr("There is nothing to export: no schedule is known yet.");
    else
        picture = view.make();
    picture.view = view.widget;
    picture.title = pictureTitle();
    const QString base = m_state->problem() ? QFileInfo(m_state->problem()->title).completeBaseName() : u"view"_s;
    picture.defaultName = base + u'-' + QLatin1String(view.name);
    return picture;
}

QList<ExportPicture> MainWindow::pictures()
{
    QList<ExportPicture> all;
    for (std::size_t i = 0; i < exportableViews().size(); ++i)
        all.append(picture(i));
    return all;
}

ExportPicture MainWindow::focusedPicture()
{
    return pictureOf(QApplication::focusWidget());
}

/// The view that the widget is or is part of; else the graph.
ExportPicture MainWindow::pictureOf(const QWidget* widget)
{
    const std::vector<ExportableView>& views = exportableViews();
    const auto found = std::find_if(views.begin(), views.end(), [&](const ExportableView& view) { return widget && (view.widget == widget || view.widget->isAncestorOf(widget)); });
    return picture(found == views.end() ? 0 : static_cast<std::size_t>(found - views.begin()));
}

void MainWindow::exportPicture(const ExportPicture& picture)
{
    if (!picture.emptyReason.isEmpty()) {
        m_messages->show(MessageBar::Kind::Note, picture.emptyReason, {});
        return;
    }
    const QString path = QFileDialog::getSaveFileName(this, tr("Export this view"), picture.defaultName + u".png"_s, ViewExporter::filter(picture.csv != nullptr));
    if (!path.isEmpty())
        ViewExporter::writeBeside(this, picture, path, reportOf(path));
}

}  // namespace poet
