// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/plan_file.h"
#include "widgets/controls/status_text.h"
#include "widgets/dag/dag_view.h"
#include "widgets/document/worker_protocol.h"
#include "widgets/document/workspace.h"
#include "widgets/export/view_exporter.h"
#include "widgets/inspector/events_table.h"
#include "widgets/inspector/summary_panel.h"
#include "widgets/pareto/pareto_chart.h"
#include "widgets/style/colors.h"
#include "widgets/style/text.h"
#include "widgets/timeline/timeline_view.h"
#include "widgets/window/main_window.h"
#include "widgets/window/message_bar.h"

#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QPainter>
#include <QPdfWriter>
#include <QProcess>
#include <QTemporaryFile>
#include <QTextDocument>
#include <QUrl>

/// What MainWindow writes: pictures, tables, schedules, projects.
namespace poet {

using namespace Qt::StringLiterals;

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

ExportPicture MainWindow::focusedPicture()
{
    ExportPicture picture;
    picture.title = pictureTitle();
    const QString base = m_state->problem() ? QFileInfo(m_state->problem()->title).completeBaseName() : u"view"_s;
    if (!m_state->problem())
        picture.emptyReason = tr("There is nothing to export: no model is open.");
    QWidget* focus = QApplication::focusWidget();
    const auto has = [&](QWidget* view) { return focus && (view == focus || view->isAncestorOf(focus)); };
    // Exports are for paper: a light palette, whatever the screen shows.
    const auto lightly = [](QWidget* view, const std::function<void()>& draw) {
        const QPalette before = view->palette();
        view->setPalette(style::lightPalette());
        draw();
        view->setPalette(before);
    };
    if (has(m_timeline)) {
        picture.defaultName = base + u"-timeline"_s;
        picture.size = m_timeline->viewport()->size();
        picture.draw = [this, lightly](QPainter& painter, const QRect& area) { lightly(m_timeline, [&] { m_timeline->renderTo(painter, area); }); };
    } else if (has(m_chart)) {
        picture.defaultName = base + u"-pareto"_s;
        picture.size = m_chart->size();
        picture.draw = [this, lightly](QPainter& painter, const QRect& area) { lightly(m_chart, [&] { m_chart->renderTo(painter, area); }); };
    } else {
        picture.defaultName = base + u"-graph"_s;
        const QRectF all(0, 0, m_dag->layout().width, m_dag->layout().height);
        picture.size = all.size().toSize().expandedTo(QSize(200, 100));
        picture.draw = [this, lightly, all](QPainter& painter, const QRect& area) {
            lightly(m_dag, [&] { m_dag->scene()->render(&painter, area, all); });
        };
    }
    return picture;
}

void MainWindow::exportView()
{
    const ExportPicture picture = focusedPicture();
    if (!picture.emptyReason.isEmpty()) {
        m_messages->show(MessageBar::Kind::Note, picture.emptyReason, {});
        return;
    }
    const QString path = QFileDialog::getSaveFileName(this, tr("Export this view"), picture.defaultName + u".png"_s, ViewExporter::filter());
    if (path.isEmpty())
        return;
    report(ViewExporter::write(picture, path), path);
}

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

Expected<void> MainWindow::writeSchedule(const QString& path)
{
    if (!m_state->problem() || !m_state->plan())
        return fail(ErrorCode::BadUsage, "There is no schedule to export.", "Open a model and solve it first.");
    // Shown and exported plans are replays; replay once more against the file's own graph before it leaves.
    POET_TRY(again, replay(*m_state->problem()->graph, m_state->problem()->graph->device.transfer, m_state->plan()->replay.schedule));
    PlanFile file{*m_state->problem()->graph, *m_state->plan()};
    file.plan.replay = again;
    const std::string json = toJson(file);
    return ViewExporter::writeText(text::from(json), path);
}

void MainWindow::exportSchedule()
{
    if (!m_state->plan()) {
        m_messages->show(MessageBar::Kind::Note, tr("There is no schedule to export: open a model and solve it first."), {});
        return;
    }
    const QString base = QFileInfo(m_state->problem()->title).completeBaseName();
    const QStringList filters{tr("Schedule (*.json)"), tr("Firmware: C folder (*)"), tr("Firmware: compact binary (*.bin)"), tr("Steps (*.csv)"), tr("Graphviz (*.dot)")};
    const QStringList formats{u"json"_s, u"c"_s, u"binary"_s, u"csv"_s, u"dot"_s};
    QString chosen;
    const QString path = QFileDialog::getSaveFileName(this, tr("Export schedule for %1 of RAM").arg(text::bytes(m_state->plan()->memoryBytes)), base + u".schedule.json"_s, filters.join(u";;"_s), &chosen);
    if (path.isEmpty())
        return;
    const QString format = formats[std::max<qsizetype>(0, filters.indexOf(chosen))];
    if (format == "json"_L1) {
        report(writeSchedule(path), path);
        return;
    }
    runExport(format, path);
}

void MainWindow::runExport(const QString& format, const QString& path)
{
    // The command does the work, so that both write the same bytes.
    auto* process = new QProcess(this);
    auto* input = new QTemporaryFile(QDir::tempPath() + u"/poet-XXXXXX.json"_s, process);
    if (!input->open() || !writeSchedule(input->fileName())) {
        m_messages->show(MessageBar::Kind::Problem, tr("The schedule cannot be written to a temporary file."), tr("Check the free space."));
        process->deleteLater();
        return;
    }
    connect(process, &QProcess::finished, this, [this, process, path](int code) {
        const QString said = QString::fromUtf8(process->readAllStandardError()).trimmed();
        if (code == 0)
            m_messages->show(MessageBar::Kind::Note, tr("Written: %1").arg(path), {});
        else
            m_messages->show(MessageBar::Kind::Problem, said.isEmpty() ? tr("The export ended with code %1.").arg(code) : said, {});
        process->deleteLater();
    });
    connect(process, &QProcess::errorOccurred, this, [this, process](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            m_messages->show(MessageBar::Kind::Problem, tr("The program \"poet\" cannot be started."), tr("Install it beside this program."));
        process->deleteLater();
    });
    process->start(findWorkerProgram(), {u"export"_s, input->fileName(), u"--format"_s, format, u"-o"_s, path});
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
    const QPalette before = palette();
    QTextDocument document;
    const auto addPicture = [&](const QString& name, QWidget* view, const QSize& size, const std::function<void(QPainter&, const QRect&)>& draw) {
        view->setPalette(style::lightPalette());
        QImage image(size * 2, QImage::Format_RGB32);
        image.setDevicePixelRatio(2);
        image.fill(Qt::white);
        QPainter painter(&image);
        draw(painter, QRect(QPoint(), size));
        painter.end();
        view->setPalette(before);
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

void MainWindow::saveWorkspace(bool asksForName)
{
    if (!m_state->problem()) {
        m_messages->show(MessageBar::Kind::Note, tr("There is nothing to save: no model is open."), {});
        return;
    }
    QString path = m_workspacePath;
    if (path.isEmpty() || asksForName)
        path = QFileDialog::getSaveFileName(this, tr("Save project"), QFileInfo(m_state->problem()->path).absolutePath() + u'/' + QFileInfo(m_state->problem()->title).completeBaseName() + u".poet.json"_s,
                                            tr("Projects (*.poet.json)"));
    if (path.isEmpty())
        return;
    if (!isWorkspacePath(path))
        path += u".poet.json"_s;
    const auto result = writeWorkspace(path, currentWorkspace());
    if (result) {
        m_workspacePath = path;
        remember(path);
    }
    report(result, path);
}

Workspace MainWindow::currentWorkspace() const
{
    Workspace workspace;
    workspace.modelPath = m_state->problem()->path;
    workspace.problemHash = m_state->problem()->hash;
    workspace.setup = m_state->problem()->setup;
    workspace.controls = m_state->controls();
    workspace.plans = m_state->cache().plans(*m_state->problem());
    workspace.collapsed = QStringList(m_dag->collapsedBlocks().begin(), m_dag->collapsedBlocks().end());
    workspace.coloring = m_coloring->currentIndex();
    return workspace;
}

void MainWindow::openWorkspace(const QString& path)
{
    auto workspace = readWorkspace(path);
    if (!workspace) {
        openFailed(path, workspace.error());
        return;
    }
    if (!QFileInfo::exists(workspace->modelPath)) {
        m_messages->show(MessageBar::Kind::Problem, tr("The project's model %1 is missing.").arg(workspace->modelPath), tr("Put it back, or open the model itself."));
        return;
    }
    m_pendingWorkspace = std::make_unique<Workspace>(std::move(*workspace));
    m_workspacePath = path;
    m_loader->open(m_pendingWorkspace->modelPath, m_pendingWorkspace->setup);
}

void MainWindow::applyWorkspace()
{
    const std::unique_ptr<Workspace> workspace = std::move(m_pendingWorkspace);
    const int refused = adoptPlans(*workspace, *m_state->problem(), m_state->cache());
    m_state->setControlsDirectly(workspace->controls);
    m_state->cacheGrew();
    m_dag->setCollapsedBlocks(QSet<QString>(workspace->collapsed.begin(), workspace->collapsed.end()));
    m_coloring->setCurrentIndex(workspace->coloring);
    m_dag->setColoring(static_cast<DagColoring>(workspace->coloring));
    if (refused > 0)
        m_messages->show(MessageBar::Kind::Note, tr("The model has changed since the project was saved; stored schedules not used: %1.").arg(refused), {});
}

}  // namespace poet
