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

/// Draws a widget of texts and tables as it stands on the screen.
std::function<void(QPainter&, const QRect&)> drawingOf(QWidget* view)
{
    return [view](QPainter& painter, const QRect& area) {
        const PaperColors paper(*view);
        view->ensurePolished();
        painter.translate(area.topLeft());
        view->render(&painter, {}, {}, QWidget::DrawChildren | QWidget::DrawWindowBackground);
    };
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
std::function<void(QPainter&, const QRect&)> renderingOf(View* view)
{
    return [view](QPainter& painter, const QRect& area) {
        const PaperColors paper(*view);
        view->renderTo(painter, area);
    };
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
    picture.view = m_dag;
    picture.defaultName = u"graph"_s;
    picture.size = all.size().toSize().expandedTo(QSize(200, 100));
    picture.draw = [this, all](QPainter& painter, const QRect& area) {
        const PaperColors paper(*m_dag, m_dag->scene());
        m_dag->scene()->render(&painter, area, all);
    };
    picture.csv = [this] { return nodesCsv(*m_state); };
    return picture;
}

QList<ExportPicture> MainWindow::pictures()
{
    m_heatMap->catchUp();
    m_sideBySide->catchUp();
    m_breakEven->catchUp();
    QList<ExportPicture> all{graphPicture()};
    const auto add = [&](QWidget* view, const QString& name, auto draw, std::function<QString()> csv) {
        ExportPicture picture;
        picture.view = view;
        picture.defaultName = name;
        picture.size = sizeOf(view);
        picture.draw = std::move(draw);
        picture.csv = std::move(csv);
        all.append(std::move(picture));
    };
    add(m_timeline, u"timeline"_s, renderingOf(m_timeline), [this] { return m_table->csv(); });
    all.back().size = m_timeline->viewport()->size();
    add(m_chart, u"pareto"_s, renderingOf(m_chart), [this] { return m_pareto->csv(); });
    add(m_heatMap, u"heat-map"_s, renderingOf(m_heatMap), [this] { return heatGridCsv(m_heatMap->grid()); });
    add(m_sideBySide, u"strategies"_s, renderingOf(m_sideBySide), [this] { return strategiesCsv(*m_state, m_sideBySide->columns()); });
    add(m_breakEven, u"break-even"_s, drawingOf(m_breakEven), [this] { return breakEvenCsv(*m_state, m_breakEven->points(), m_breakEven->line()); });
    QTextDocument* summary = m_summary->findChild<QTextBrowser*>()->document();
    add(m_summary, u"summary"_s, drawingOf(summary), [this] { return summaryCsv(*m_state); });
    all.back().size = summary->size().toSize();
    add(m_table, u"events"_s, drawingOf(m_table), [this] { return m_table->csv(); });
    add(m_compare, u"comparison"_s, drawingOf(m_compare), [this] { return comparisonCsv(m_compare->figures()); });
    const QString base = m_state->problem() ? QFileInfo(m_state->problem()->title).completeBaseName() : u"view"_s;
    for (ExportPicture& picture : all) {
        picture.title = pictureTitle();
        picture.defaultName.prepend(base + u'-');
        if (!m_state->problem())
            picture.emptyReason = tr("There is nothing to export: no model is open.");
        else if (picture.view != m_dag && picture.view != m_heatMap && picture.view != m_compare && !m_state->plan())
            picture.emptyReason = tr("There is nothing to export: no schedule is known yet.");
        else if (picture.view == m_compare && m_compare->figures().empty())
            picture.emptyReason = tr("There is nothing to export: nothing was compared yet.");
    }
    return all;
}

ExportPicture MainWindow::focusedPicture()
{
    const QWidget* focus = QApplication::focusWidget();
    const QList<ExportPicture> all = pictures();
    for (const ExportPicture& picture : all)
        if (focus && (picture.view == focus || picture.view->isAncestorOf(focus)))
            return picture;
    return all.front();
}

void MainWindow::exportPicture(const ExportPicture& picture)
{
    if (!picture.emptyReason.isEmpty()) {
        m_messages->show(MessageBar::Kind::Note, picture.emptyReason, {});
        return;
    }
    const QString path = QFileDialog::getSaveFileName(this, tr("Export this view"), picture.defaultName + u".png"_s, ViewExporter::filter(picture.csv != nullptr));
    if (!path.isEmpty())
        report(ViewExporter::write(picture, path), path);
}

}  // namespace poet
