// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/device/profile_store.h"
#include "core/device/transfer_cost.h"
#include "core/export/plan_file.h"
#include "widgets/document/worker_protocol.h"
#include "widgets/export/export_dialog.h"
#include "widgets/export/paper_colors.h"
#include "widgets/export/view_exporter.h"
#include "widgets/inspector/events_table.h"
#include "widgets/inspector/summary_panel.h"
#include "widgets/pareto/pareto_chart.h"
#include "widgets/style/text.h"
#include "widgets/timeline/timeline_view.h"
#include "widgets/window/main_window.h"
#include "widgets/window/message_bar.h"

#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QPainter>
#include <QPdfWriter>
#include <QTextDocument>
#include <QUrl>

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
    if (QWidget* focus = QApplication::focusWidget(); focus && (focus == m_table || m_table->isAncestorOf(focus))) {
        QApplication::clipboard()->setText(m_table->selectionText());
        return;
    }
    const ExportPicture picture = focusedPicture();
    if (picture.emptyReason.isEmpty())
        QApplication::clipboard()->setImage(ViewExporter::image(picture, 2));
}

void MainWindow::exportTable(bool isPareto)
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Export table"), isPareto ? u"pareto.csv"_s : u"events.csv"_s, tr("Table (*.csv)"));
    if (!path.isEmpty())
        report(ViewExporter::writeText(isPareto ? m_pareto->csv() : m_table->csv(), path), path);
}

Expected<QByteArray> MainWindow::scheduleJson() const
{
    if (!m_state->problem() || !m_state->plan())
        return fail(ErrorCode::BadUsage, "There is no schedule to export.", "Open a model and solve it first.");
    // Shown and exported plans are replays; replay once more against the file's own graph before it leaves.
    POET_TRY(again, replay(*m_state->problem()->graph, m_state->problem()->graph->device.transfer, m_state->plan()->replay.schedule));
    PlanFile file{*m_state->problem()->graph, *withProof(m_state->cache(), *m_state->problem(), m_state->plan(), m_state->controls().gap)};
    file.plan.replay = again;
    file.plan.source = sourceOf(*m_state->problem());
    return QByteArray::fromStdString(toJson(file));
}

Expected<void> MainWindow::writeSchedule(const QString& path)
{
    POET_TRY(json, scheduleJson());
    return ViewExporter::writeBytes(json, path);
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
        const auto device = problem.hasTraining ? loadDevice(text::to(problem.setup.device)) : Expected<DeviceProfile>(DeviceProfile{});
        const StoreProfile* store = device ? device->store(text::to(problem.setup.store)) : nullptr;
        if (const auto writable = store ? writableBytes(*store) : std::nullopt)
            wear += tr(", worn out after %1 steps").arg(QLocale().toString(*writable / static_cast<double>(report.writtenBytes), 'g', 3));
        facts << wear;
    }
    return facts.join(u"<br>"_s);
}

void MainWindow::exportSchedule()
{
    const auto json = scheduleJson();
    if (!json) {
        m_messages->show(MessageBar::Kind::Note, tr("There is no schedule to export: open a model and solve it first."), {});
        return;
    }
    const QString warning = m_state->planFits() ? QString()
                                                : tr("This schedule does not fit the limits that are set; it is exported with its own: %1 of RAM, %2 a step.")
                                                      .arg(text::bytes(memoryNeed(*m_state->problem()->graph, *m_state->plan())), text::seconds(m_state->plan()->replay.seconds));
    ExportDialog dialog(findWorkerProgram(), *json, QFileInfo(m_state->problem()->title).completeBaseName(), exportFacts(), warning, this);
    if (dialog.exec() == QDialog::Accepted)
        m_messages->show(MessageBar::Kind::Note, tr("Written: %1").arg(dialog.writtenPath()), {});
}

void MainWindow::exportReport()
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Export report"), u"report.pdf"_s, tr("PDF document (*.pdf)"));
    if (!path.isEmpty())
        report(writeReport(path), path);
}

Expected<void> MainWindow::writeReport(const QString& path)
{
    if (!m_state->plan())
        return fail(ErrorCode::BadUsage, "There is nothing to report: no plan is known.", "Open a model and solve it first.");
    QTextDocument document;
    const auto addPicture = [&](const QString& name, QWidget* view, const QSize& size, const std::function<void(QPainter&, const QRect&)>& draw) {
        const PaperColors paper(*view);
        QImage image(size * 2, QImage::Format_RGB32);
        image.setDevicePixelRatio(2);
        image.fill(Qt::white);
        QPainter painter(&image);
        draw(painter, QRect(QPoint(), size));
        painter.end();
        document.addResource(QTextDocument::ImageResource, QUrl(name), image);
        return u"<p><img src='%1' width='%2'></p>"_s.arg(name).arg(560);
    };
    QString html = u"<h2>%1</h2><p>%2</p>"_s.arg(m_state->problem()->title.toHtmlEscaped(), pictureTitle().toHtmlEscaped());
    html += m_summary->html();
    html += addPicture(u"timeline"_s, m_timeline, m_timeline->viewport()->size(), [this](QPainter& p, const QRect& area) { m_timeline->renderTo(p, area); });
    html += addPicture(u"pareto"_s, m_chart, m_chart->size(), [this](QPainter& p, const QRect& area) { m_chart->renderTo(p, area); });
    document.setHtml(html);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setPageSize(QPageSize(QPageSize::A4));
    writer.setTitle(pictureTitle());
    document.print(&writer);
    return ViewExporter::writeBytes(buffer.data(), path);
}

}  // namespace poet
