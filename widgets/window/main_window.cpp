// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/main_window.h"

#include "widgets/controls/constraints_panel.h"
#include "widgets/controls/model_panel.h"
#include "widgets/dag/dag_view.h"
#include "widgets/device/device_cache.h"
#include "widgets/document/overhead_search.h"
#include "widgets/document/solve_controller.h"
#include "widgets/document/sweep_controller.h"
#include "widgets/help/whats_this.h"
#include "widgets/inspector/properties_panel.h"
#include "widgets/pareto/pareto_chart.h"
#include "widgets/style/link_colors.h"
#include "widgets/style/text.h"
#include "widgets/teaching/alternatives.h"
#include "widgets/teaching/lesson_panel.h"
#include "widgets/timeline/timeline_view.h"
#include "widgets/window/action_registry.h"
#include "widgets/window/message_bar.h"

#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QMouseEvent>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>

#include <algorithm>
#include <utility>

namespace poet {

using namespace Qt::StringLiterals;

namespace {
constexpr int kRecentFiles = 10;
constexpr QLatin1StringView kFirstDevice{"rpi4b"};  ///< where none was chosen yet

bool isDeviceProfile(const QString& path)
{
    QFile file(path);
    return path.endsWith(".json"_L1, Qt::CaseInsensitive) && file.open(QIODevice::ReadOnly) && file.read(2000).contains("\"poet-device\"");
}

bool isListed(const ModelReaders& readers, const QString& device)
{
    const QList<DeviceEntry> devices = readers.devices ? readers.devices() : QList<DeviceEntry>();
    return std::any_of(devices.begin(), devices.end(), [&](const DeviceEntry& entry) { return entry.id == device; });
}

}  // namespace

MainWindow::MainWindow(WindowServices services, QWidget* parent)
    : QMainWindow(parent), m_state(new DocumentState(this)), m_layouts(new LayoutService(services.layoutProgram, this)),
      m_loader(new DocumentLoader(services.readers, this)), m_backend(services.interactive), m_actions(new ActionRegistry(this)),
      m_exampleList(services.examples)
{
    services.interactive->setParent(this);
    services.sweep->setParent(this);
    services.timer->setParent(this);
    m_solver = new SolveController(*m_state, *services.interactive, *services.timer, this);
    m_sweep = new SweepController(*m_state, *services.sweep, this);
    if (services.overhead) {
        services.overhead->setParent(this);
        m_overhead = new OverheadSearch(*m_state, *services.overhead, this);
    }
    setObjectName(u"mainWindow"_s);
    setWindowTitle(tr("POET Explorer"));
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    buildDocks();
    buildActions();
    explainControls(*this);
    connectAll();
    m_start->setExamples(m_exampleList);
    resize(1440, 900);
    resetLayout();
    m_defaultLayout = saveState(kStateVersion);
    restoreSettings();
    startAutosave(services.autosaveFolder);
    new style::LinkColors(this);
}

MainWindow::~MainWindow()
{
    // Views and controllers still hear the state while members go; silence it first.
    m_state->disconnect();
    m_layouts->disconnect();
}

void MainWindow::connectAll()
{
    connect(m_state, &DocumentState::changed, this, &MainWindow::refresh);
    connect(m_loader, &DocumentLoader::loaded, this, &MainWindow::showProblem);
    connect(m_loader, &DocumentLoader::workspaceLoaded, this, &MainWindow::showWorkspace);
    connect(m_loader, &DocumentLoader::failed, this, &MainWindow::openFailed);
    connect(m_loader, &DocumentLoader::stageChanged, this, [this](const QString& stage) {
        if (stage.isEmpty())
            statusBar()->clearMessage();
        else
            statusBar()->showMessage(stage);
    });
    connect(m_start, &StartPage::openAsked, this, &MainWindow::openDialog);
    connect(m_start, &StartPage::recentChosen, this, [this](const QString& path) { openFile(path); });
    connect(m_start, &StartPage::exampleChosen, this, [this](const Example& example) { openFile(example.path, example.device); });
    connect(m_start, &StartPage::tourAsked, this, &MainWindow::takeTour);
    connectSetup();
    connect(m_dag, &DagView::message, this, [this](const QString& text) { m_messages->show(MessageBar::Kind::Note, text, {}); });
    connect(m_dag, &DagView::layoutShown, this, [this](const QString& engine, int boxes) {
        m_layoutLabel->setText(tr("layout: %1, %2 boxes").arg(engine == "graphviz"_L1 ? tr("Graphviz") : tr("simple ladder")).arg(boxes));
        m_isGraphShown = true;
        Q_EMIT graphShown();
    });
    connect(m_layouts, &LayoutService::slow, this, &MainWindow::layoutIsSlow);
    connect(m_layouts, &LayoutService::ended, this, [this] {
        if (m_messages->text() == m_layoutText)
            m_messages->dismiss();
    });
    connect(m_properties, &PropertiesPanel::whyAsked, this, [this](NodeId node) {
        if (m_state->plan())
            m_properties->showHtml(whyHtml(*m_state->problem(), *m_state->plan(), node, m_state->controls().query.memoryBytes,
                                           m_state->controls().query.deadlineSeconds, describeStatus(*m_state).kind == StatusKind::Optimal));
    });
    connect(m_timeline, &TimelineView::rangeChanged, m_rangeLabel, &QLabel::setText);
    connect(m_timeline, &TimelineView::instantPicked, m_properties, &PropertiesPanel::showInstant);
    connect(m_chart, &ParetoChart::pointPicked, this, &MainWindow::showPoint);
    connect(m_lessons, &LessonPanel::stepShown, this, &MainWindow::runLessonStep);
    connect(m_lessons, &LessonPanel::ended, this, &MainWindow::endLesson);
    connect(m_sweep, &SweepController::progressed, this, &MainWindow::showSweep);
    showSweep(0, 0);
}

/// The last view stays; both ways out take effect at once.
void MainWindow::layoutIsSlow(int nodes, int edges)
{
    m_layoutText = tr("Laying out %L1 nodes, %L2 edges\u2026").arg(nodes).arg(edges);
    m_messages->show(MessageBar::Kind::Note, m_layoutText, {},
                     {{tr("Use simple layout"), [this] { m_layouts->useLadder(); }}, {tr("Cancel"), [this] { m_dag->cancelLayout(); }}});
}

void MainWindow::refresh(DocumentState::Aspects aspects)
{
    if (aspects & (DocumentState::PlanAspect | DocumentState::SearchAspect | DocumentState::ControlsAspect | DocumentState::CacheAspect)) {
        const StatusLine line = describeStatus(*m_state);
        QString shown;
        if (m_state->plan()) {
            shown = tr("Shown: %1 of RAM, %2").arg(text::bytes(memoryNeed(*m_state->problem()->graph, *m_state->plan())), text::seconds(m_state->plan()->replay.seconds));
            if (m_state->planFits())
                shown += line.kind == StatusKind::Optimal ? tr(", %1").arg(line.headline.toLower()) : tr(", gap at most %1").arg(text::percent(shownGapPercent(*m_state)));
            else
                shown += tr(" (does not fit the limits)");
        }
        m_shownLabel->setText(shown);
        m_shownLabel->setToolTip(line.headline);
    }
    if (aspects & DocumentState::ProblemAspect) {
        m_center->setCurrentIndex(m_state->problem() ? 1 : 0);
        setWindowTitle(m_state->problem() ? tr("%1 \u2013 POET Explorer").arg(m_state->problem()->title) : tr("POET Explorer"));
    }
    for (const char* id : {"schedule.solve", "schedule.stop", "schedule.sweep", "schedule.prove", "view.fit", "graph.collapse", "graph.expand"})
        if (QAction* action = m_actions->action(QString::fromLatin1(id)))
            action->setEnabled(m_state->problem() != nullptr);
    if (QAction* back = m_actions->action(u"go.back"_s))
        back->setEnabled(m_state->canGoBack());
    if (QAction* forward = m_actions->action(u"go.forward"_s))
        forward->setEnabled(m_state->canGoForward());
}

void MainWindow::showPoint(const ParetoPoint& point)
{
    if (!point.plan)
        return;
    Controls controls = m_state->controls();
    controls.query.memoryBytes = point.memoryBytes;
    if (!isAllowed(*point.plan, controls.query.strategy))
        controls.query.strategy = point.strategy;
    m_state->editControls(controls, tr("known plan"));
}

void MainWindow::openDialog()
{
    QSettings settings;
    const QString folder = settings.value(u"lastFolder"_s).toString();
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a model"), folder,
                                                      tr("Models and schedules (*.onnx *.json);;All files (*)"));
    if (path.isEmpty())
        return;
    settings.setValue(u"lastFolder"_s, QFileInfo(path).absolutePath());
    openFile(path);
}

void MainWindow::openDeviceDialog()
{
    QSettings settings;
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a device profile"), settings.value(u"lastDeviceFolder"_s).toString(), tr("Device profiles (*.json);;All files (*)"));
    if (path.isEmpty())
        return;
    settings.setValue(u"lastDeviceFolder"_s, QFileInfo(path).absolutePath());
    openDevice(path);
}

/// The profile becomes the device of the open model, or of the next one.
void MainWindow::openDevice(const QString& path)
{
    m_messages->dismiss();
    if (const auto profile = knownDevice(path); !profile) {
        m_messages->show(MessageBar::Kind::Problem, text::from(profile.error().message), text::from(profile.error().hint));
        return;
    }
    ModelSetup setup = m_modelPanel->setup();
    setup.device = path;
    setup.operatingPoint.clear();
    m_modelPanel->setDevice(path);
    if (m_state->problem() && !m_state->problem()->hasTraining)
        m_messages->show(MessageBar::Kind::Note, tr("A cost graph carries its own costs: the device counts for the next model."), {});
    else if (m_state->problem())
        changeSetup(setup);
    else
        m_messages->show(MessageBar::Kind::Note, tr("%1 is the device of the next model that is opened.").arg(QFileInfo(path).completeBaseName()), {});
}

void MainWindow::openFile(const QString& path, const QString& device)
{
    endLesson();  // another file starts from the user's own setup, not from the lesson's
    m_messages->dismiss();
    m_isSetupChange = false;
    m_state->dropRequest();
    if (isWorkspacePath(path)) {
        m_loader->openWorkspace(QFileInfo(path).absoluteFilePath());
        return;
    }
    if (isDeviceProfile(path)) {
        openDevice(QFileInfo(path).absoluteFilePath());
        return;
    }
    const QString file = QFileInfo(path).absoluteFilePath();
    const bool isSame = m_state->problem() && m_state->problem()->path == file;
    ModelSetup setup = isSame ? m_modelPanel->setup() : m_modelPanel->setup().forAnotherModel();
    setup.operatingPoint.clear();
    if (!device.isEmpty())
        setup.device = device;
    if (setup.device.isEmpty() && isListed(m_loader->readers(), kFirstDevice))
        setup.device = kFirstDevice;
    m_loader->open(file, setup);
}

void MainWindow::openFailed(const QString& path, const Error& error)
{
    m_recent.removeAll(QFileInfo(path).exists() ? QString() : path);
    updateRecent();
    m_isSetupChange = false;
    m_lessonStep.reset();
    m_state->dropRequest();
    m_modelPanel->refresh();
    m_messages->show(MessageBar::Kind::Problem, text::from(error.message), text::from(error.hint));
}

void MainWindow::showProblem(ProblemPtr problem, PlanPtr plan)
{
    if (m_lessonStep) {
        showLessonProblem(std::move(problem));
        return;
    }
    const bool isSetupChange = std::exchange(m_isSetupChange, false) && m_state->problem() && m_state->problem()->path == problem->path;
    if (!problem->path.isEmpty())
        remember(problem->path);
    m_isGraphShown = false;
    if (plan)
        m_state->cache().insert(*problem, plan);
    if (isSetupChange) {
        m_state->changeProblem(std::move(problem));
    } else {
        m_workspacePath.clear();
        m_state->setProblem(std::move(problem), false);
    }
    if (plan) {
        Controls controls = m_state->controls();
        controls.query = {plan->memoryBytes, plan->deadlineSeconds, plan->strategy};
        m_state->setControlsDirectly(controls);
    }
    showOperatingPoints();
    Q_EMIT documentShown();
}

void MainWindow::remember(const QString& path)
{
    m_recent.removeAll(path);
    m_recent.prepend(path);
    while (m_recent.size() > kRecentFiles)
        m_recent.removeLast();
    updateRecent();
}

void MainWindow::updateRecent()
{
    m_recent.removeIf([](const QString& path) { return path.isEmpty() || !QFileInfo::exists(path); });
    m_start->setRecentFiles(m_recent);
    if (m_recentMenu) {
        m_recentMenu->clear();
        for (const QString& path : std::as_const(m_recent))
            connect(m_recentMenu->addAction(QFileInfo(path).fileName()), &QAction::triggered, this, [this, path] { openFile(path); });
        m_recentMenu->setEnabled(!m_recent.isEmpty());
    }
    QSettings().setValue(u"recentFiles"_s, m_recent);
}

void MainWindow::restoreSettings()
{
    QSettings settings;
    m_recent = settings.value(u"recentFiles"_s).toStringList();
    updateRecent();
    restoreGeometry(settings.value(u"geometry"_s).toByteArray());
    restoreState(settings.value(u"windowState"_s).toByteArray(), kStateVersion);
    m_solver->setAutomatic(settings.value(u"automaticSearch"_s, true).toBool());
    m_timeline->applyLaneSettings(settings.value(u"lanes"_s).toString());
    const QString device = settings.value(u"device"_s).toString();
    if (!device.isEmpty())
        m_modelPanel->setDevice(device);
}

void MainWindow::saveSettings() const
{
    QSettings settings;
    settings.setValue(u"geometry"_s, saveGeometry());
    settings.setValue(u"windowState"_s, saveState(kStateVersion));
    settings.setValue(u"device"_s, m_modelPanel->device());
    settings.setValue(u"lanes"_s, m_timeline->laneSettings());
}

QString MainWindow::modelPanelDevice() const { return m_modelPanel->device(); }

bool MainWindow::isSettled() const
{
    const auto phase = m_state->search().phase;
    if (m_overhead && m_overhead->isRunning())
        return false;
    return !m_loader->isLoading() && !m_layouts->isRunning() && phase != SearchState::Phase::Running && phase != SearchState::Phase::Waiting;
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.isEmpty())
        return;
    event->acceptProposedAction();
    if (urls.first().isLocalFile())
        openFile(urls.first().toLocalFile());
    else
        m_messages->show(MessageBar::Kind::Problem, tr("Only files of this computer can be opened."), tr("Download it first."));
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    settleDown();
    event->setAccepted(keepSession());
}

void MainWindow::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::BackButton)
        m_state->goBack();
    else if (event->button() == Qt::ForwardButton)
        m_state->goForward();
    else
        QMainWindow::mousePressEvent(event);
}

}  // namespace poet
