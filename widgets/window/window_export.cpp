// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/device/transfer_cost.h"
#include "core/export/plan_file.h"
#include "widgets/device/device_cache.h"
#include "widgets/document/beside.h"
#include "widgets/document/worker_protocol.h"
#include "widgets/export/export_dialog.h"
#include "widgets/export/report_page.h"
#include "widgets/export/table_text.h"
#include "widgets/export/view_exporter.h"
#include "widgets/inspector/events_table.h"
#include "widgets/inspector/summary_panel.h"
#include "widgets/pareto/pareto_chart.h"
#include "widgets/report/report_panel.h"
#include "widgets/style/text.h"
#include "widgets/timeline/timeline_view.h"
#include "widgets/window/main_window.h"
#include "widgets/window/message_bar.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QTableView>

/// What MainWindow writes: tables, schedules, the report.
namespace poet {

using namespace Qt::StringLiterals;

void MainWindow::report(const Expected<void>& result, const QString& path)
{
    if (result)
        m_messages->show(MessageBar::Kind::Note, tr("Written: %1").arg(path), {});
    else
        m_messages->show(MessageBar::Kind::Problem, text::from(result.error().message), text::from(result.error().hint));
}

void MainWindow::copyView()
{
    // Rows that are selected in a table that has the focus; in the report, also the words that are searched for.
    const QWidget* focus = QApplication::focusWidget();
    const auto* table = qobject_cast<const QTableView*>(focus);
    if (!table && focus == m_report->searchField())
        table = &m_report->table();
    if (const QString rows = table ? selectedRows(*table) : QString(); !rows.isEmpty()) {
        QApplication::clipboard()->setText(rows);
        return;
    }
    const ExportPicture picture = focusedPicture();
    if (picture.emptyReason.isEmpty())
        QApplication::clipboard()->setImage(ViewExporter::image(picture, 2));
}

WhenWritten MainWindow::reportOf(const QString& path)
{
    return [this, path](const Expected<void>& result) { report(result, path); };
}

void MainWindow::exportTable(bool isPareto)
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Export table"), isPareto ? u"pareto.csv"_s : u"events.csv"_s, tr("Table (*.csv)"));
    if (path.isEmpty())
        return;
    runBeside(this, [path, rows = m_table->rows(), points = isPareto ? m_pareto->csv() : QString()] { return ViewExporter::writeText(points.isEmpty() ? rows.csv() : points, path); },
              reportOf(path));
}

/// Makes the shown schedule as a file's content, on any thread: JSON of thousands of steps takes its time.
Expected<std::function<Expected<QByteArray>()>> MainWindow::scheduleMaker() const
{
    const ProblemPtr& problem = m_state->problem();
    if (!problem || !m_state->plan())
        return fail(ErrorCode::BadUsage, "There is no schedule to export.", "Open a model and solve it first.");
    return [problem, plan = withProof(m_state->cache(), *problem, m_state->plan(), m_state->controls().gap)]() -> Expected<QByteArray> {
        // Shown and exported plans are replays; replay once more against the file's own graph before it leaves.
        POET_TRY(again, replay(*problem->graph, problem->graph->device.transfer, plan->replay.schedule));
        PlanFile file{*problem->graph, *plan};
        file.plan.replay = std::move(again);
        file.plan.source = sourceOf(*problem);
        return QByteArray::fromStdString(toJson(file));
    };
}

void MainWindow::writeSchedule(const QString& path, WhenWritten then)
{
    auto make = scheduleMaker();
    if (!make) {
        then(std::unexpected(make.error()));
        return;
    }
    runBeside(this,
              [make = std::move(*make), path]() -> Expected<void> {
                  POET_TRY(json, make());
                  return ViewExporter::writeBytes(json, path);
              },
              std::move(then));
}

/// What the plan needs and costs, and how long the store lasts; HTML.
QString MainWindow::exportFacts() const
{
    const Problem& problem = *m_state->problem();
    const ReplayReport& report = m_state->plan()->replay;
    QStringList facts{tr("%1 of RAM (%2 planned, %3 resident)")
                          .arg(text::bytes(memoryNeed(*problem.graph, *m_state->plan())), text::bytes(memoryNeed(*problem.graph, *m_state->plan()) - problem.residentBytes()),
                               text::bytes(problem.residentBytes())),
                      tr("%1 and %2 a step").arg(text::joules(report.energyJoules), text::seconds(report.seconds)),
                      tr("%1 paged out, %2 paged in, %3 nodes recomputed").arg(text::bytes(report.pagedOutBytes), text::bytes(report.pagedInBytes)).arg(report.recomputedNodes)};
    if (report.writtenBytes > 0) {
        QString wear = tr("%1 written to the store a step").arg(text::bytes(report.writtenBytes));
        const DevicePtr device = problem.hasTraining ? knownDevice(problem.setup.device).value_or(nullptr) : nullptr;
        const StoreProfile* store = device ? device->store(text::to(problem.setup.store)) : nullptr;
        if (const auto writable = store ? writableBytes(*store) : std::nullopt)
            wear += tr(", worn out after %1 steps").arg(QLocale().toString(*writable / static_cast<double>(report.writtenBytes), 'g', 3));
        facts << wear;
    }
    return facts.join(u"<br>"_s);
}

void MainWindow::exportSchedule()
{
    auto make = scheduleMaker();
    if (!make) {
        m_messages->show(MessageBar::Kind::Note, tr("There is no schedule to export: open a model and solve it first."), {});
        return;
    }
    const QString warning = m_state->planFits() ? QString()
                                                : tr("This schedule does not fit the limits that are set; it is exported with its own: %1 of RAM, %2 a step.")
                                                      .arg(text::bytes(memoryNeed(*m_state->problem()->graph, *m_state->plan())), text::seconds(m_state->plan()->replay.seconds));
    ExportDialog dialog(findWorkerProgram(), std::move(*make), QFileInfo(m_state->problem()->title).completeBaseName(), exportFacts(), warning, this);
    if (dialog.exec() == QDialog::Accepted)
        m_messages->show(MessageBar::Kind::Note, tr("Written: %1").arg(dialog.writtenPath()), {});
}

void MainWindow::exportReport()
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Export report"), u"report.pdf"_s, tr("PDF document (*.pdf)"));
    if (!path.isEmpty())
        writeReport(path, reportOf(path));
}

void MainWindow::writeReport(const QString& path, WhenWritten then)
{
    if (!m_state->plan()) {
        then(fail(ErrorCode::BadUsage, "There is nothing to report: no plan is known.", "Open a model and solve it first."));
        return;
    }
    ReportPage page;
    page.title = m_state->problem()->title;
    page.subtitle = pictureTitle();
    page.html = m_summary->html();
    for (QWidget* view : {static_cast<QWidget*>(m_timeline), static_cast<QWidget*>(m_chart)})
        page.views.push_back(ViewExporter::record(pictureOf(view)));
    runBeside(this, [page = std::move(page), path] { return ViewExporter::writeBytes(reportPdf(page), path); }, std::move(then));
}

}  // namespace poet
