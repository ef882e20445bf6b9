// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document_loader.h"
#include "widgets/document/document_state.h"
#include "widgets/document/layout_service.h"
#include "widgets/document/solver_backend.h"
#include "widgets/document/workspace.h"
#include "widgets/export/view_exporter.h"
#include "widgets/window/start_page.h"

#include <QMainWindow>
#include <QSet>

#include <memory>
#include <optional>

class QButtonGroup;
class QComboBox;
class QDockWidget;
class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QToolBar;
class QToolButton;

namespace poet {

struct LessonStep;
struct ParetoPoint;
struct PointChoice;
struct TourStop;
class ActionRegistry;
class Autosave;
class BreakEvenView;
class ComparePanel;
class ConstraintsPanel;
class DagView;
class DeviceEditor;
class EventsTable;
class HeatMap;
class LessonPanel;
class ManualWindow;
class MessageBar;
class ModelPanel;
class OverheadSearch;
class ParetoChart;
class ParetoModel;
class PlansTable;
class PointChooser;
class PropertiesPanel;
class ReportPanel;
class SearchField;
class SideBySide;
class SolveController;
class StepBar;
class SummaryPanel;
class SweepController;
class TimelineView;
class Tour;

/// What the program hands to its window. Backends and timer may be scripted in tests.
struct WindowServices {
    ModelReaders readers;
    SolverBackend* interactive = nullptr;  ///< owned by the window
    SolverBackend* sweep = nullptr;        ///< owned by the window
    SolverBackend* overhead = nullptr;     ///< owned by the window; null: no search for the smallest memory
    DelayTimer* timer = nullptr;           ///< owned by the window
    QString layoutProgram;                 ///< `poet`; empty: the in-process ladder
    std::vector<Example> examples;
    QString autosaveFolder;                ///< empty: nothing is saved for the case of a crash
};

/// The explorer's window: docks around the graph, actions, files. State lives in DocumentState.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(WindowServices services, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Opens a model, cost graph, schedule, workspace or device profile by its ending.
    void openFile(const QString& path, const QString& device = {});
    void showProblem(ProblemPtr problem, PlanPtr plan);
    [[nodiscard]] DocumentState& state() { return *m_state; }
    [[nodiscard]] ActionRegistry& actions() { return *m_actions; }
    [[nodiscard]] DagView& dagView() { return *m_dag; }
    [[nodiscard]] TimelineView& timelineView() { return *m_timeline; }
    [[nodiscard]] ConstraintsPanel& constraints() { return *m_constraints; }
    [[nodiscard]] ReportPanel& reportPanel() { return *m_report; }
    [[nodiscard]] ModelPanel& modelPanel() { return *m_modelPanel; }
    [[nodiscard]] QString modelPanelDevice() const;
    [[nodiscard]] ParetoChart& paretoChart() { return *m_chart; }
    [[nodiscard]] ParetoModel& paretoModel() { return *m_pareto; }
    [[nodiscard]] HeatMap& heatMap() { return *m_heatMap; }
    [[nodiscard]] SolveController& solver() { return *m_solver; }
    [[nodiscard]] SweepController& sweep() { return *m_sweep; }
    [[nodiscard]] LayoutService& layouts() { return *m_layouts; }
    [[nodiscard]] StepBar& stepBar() { return *m_steps; }
    /// The device editor; null until it was opened.
    [[nodiscard]] DeviceEditor* deviceEditor() { return m_deviceEditor; }
    [[nodiscard]] SearchField& searchField() { return *m_search; }
    /// The shown schedule as a file, with its graph. Errors: BadUsage without one, FileNotFound. These three take what
    /// is shown now and write beside the window's thread; `then` hears how it went.
    void writeSchedule(const QString& path, WhenWritten then);
    /// One page of PDF: model, limits, key figures, timeline, curve. Errors: as above.
    void writeReport(const QString& path, WhenWritten then);
    /// The project: model, setup, limits, plans, arrangement. Errors: FileNotFound. A problem must be open.
    void writeProject(const QString& path, WhenWritten then);
    /// Every view as a picture and a table, the graph first; some with a reason why there is nothing to export.
    [[nodiscard]] QList<ExportPicture> pictures();
    /// One of them.
    [[nodiscard]] ExportPicture picture(std::size_t index);
    /// Makes what saving a project would write now; a problem must be open.
    [[nodiscard]] WorkspaceMaker workspaceMaker() const;
    [[nodiscard]] MessageBar& messageBar() { return *m_messages; }
    /// Offers what a session that ended without leave-taking had open, if there is any.
    void offerRestore();
    /// Opens again what was open when the last session ended in order, with all its plans. With a `model`, only if it is
    /// that one. False when there is nothing to open or the user does not want it.
    bool restoreSession(const QString& model = {});
    /// Keeps what is open for the next start, as closing does, asks nothing, and ends the program: the system wants it.
    void quitUnasked();
    /// True when nothing is loading, laid out or searched: a screenshot shows the final picture.
    [[nodiscard]] bool isSettled() const;
    /// True while the graph shown belongs to the open problem.
    [[nodiscard]] bool isGraphShown() const { return m_isGraphShown; }

Q_SIGNALS:
    void documentShown();
    void graphShown();

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    static constexpr int kStateVersion = 2;  ///< of saveState: raise when docks change

    /// What a lesson borrows, and puts back at its end.
    struct BeforeLesson {
        DocumentSnapshot document;
        ModelSetup setup;      ///< as the model panel showed it: for the next model
        QByteArray docks;      ///< saveState()
        QSet<QString> collapsed;
        QString workspacePath;
    };

    /// A view that can be exported, in the order of the menu.
    struct ExportableView {
        QWidget* widget;
        const char* name;  ///< of the file
        bool needsPlan;
        std::function<ExportPicture()> make;
    };

    // main_window.cpp
    void connectAll();
    void refresh(DocumentState::Aspects aspects);
    void openDialog();
    void openDeviceDialog();
    void openDevice(const QString& path);
    void layoutIsSlow(int nodes, int edges);
    void showPoint(const ParetoPoint& point);
    void openFailed(const QString& path, const Error& error);
    void remember(const QString& path);
    void updateRecent();
    void restoreSettings();
    void saveSettings() const;
    // window_lessons.cpp
    void startLesson(int index);
    void runLessonStep(const LessonStep& step);
    void showLessonProblem(ProblemPtr problem);
    void endLesson();
    bool eventFilter(QObject* watched, QEvent* event) override;
    // window_setup.cpp
    void connectSetup();
    void changeSetup(const ModelSetup& setup);
    void showOperatingPoints();
    void takeOperatingPoint(const QString& point);
    /// Under the present limits, or for the smallest memory with this overhead.
    void findBestPoint(std::optional<double> overheadPercent);
    void takePointChoice(const PointChoice& choice);
    void setColoring(int index);
    void editDevice();
    void editPreferences();
    // window_workspace.cpp
    void saveWorkspace(bool asksForName);
    void showWorkspace(const QString& path, ProblemPtr problem, std::shared_ptr<const Workspace> workspace, int refused);
    void showView(const WorkspaceView& view);
    void startAutosave(const QString& folder);
    // window_session.cpp
    [[nodiscard]] bool keepSession();
    [[nodiscard]] Expected<void> keepOpen();
    void settleDown();
    void sessionShown();
    void closeModel();
    // window_tour.cpp
    void takeTour();
    void startTour();
    [[nodiscard]] std::vector<TourStop> tourStops();
    [[nodiscard]] NodeId tellingNode() const;
    // window_views.cpp
    [[nodiscard]] QString pictureTitle() const;
    [[nodiscard]] const std::vector<ExportableView>& exportableViews();
    [[nodiscard]] ExportPicture graphPicture() const;
    [[nodiscard]] ExportPicture strategiesPicture();
    [[nodiscard]] ExportPicture breakEvenPicture();
    [[nodiscard]] ExportPicture summaryPicture();
    [[nodiscard]] ExportPicture eventsPicture() const;
    [[nodiscard]] ExportPicture comparisonPicture();
    [[nodiscard]] ExportPicture pictureOf(const QWidget* widget);
    [[nodiscard]] ExportPicture focusedPicture();
    void exportPicture(const ExportPicture& picture);
    // window_export.cpp
    void copyView();
    void exportTable(bool isPareto);
    void exportSchedule();
    void exportReport();
    [[nodiscard]] Expected<std::function<Expected<QByteArray>()>> scheduleMaker() const;
    [[nodiscard]] WhenWritten reportOf(const QString& path);
    [[nodiscard]] QString exportFacts() const;
    void report(const Expected<void>& result, const QString& path);
    // window_docks.cpp
    void buildDocks();
    QDockWidget* addDock(const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area);
    QWidget* buildGraphPane();
    QHBoxLayout* buildTimelineTools();
    void resetLayout();
    void sizeDocks();
    void raiseDock(const QString& name);
    // window_pareto.cpp
    QHBoxLayout* buildParetoTools();
    QWidget* buildPlansTable(QHBoxLayout& row);
    void compareStrategies();
    void showParetoView(int index);
    void startSweep();
    void sweepOrCancel();
    void showSweep(int done, int total);
    // window_actions.cpp
    void buildActions();
    void buildFileActions();
    void buildEditActions();
    void buildViewActions();
    void buildScheduleActions();
    void buildGraphActions();
    void buildTimelineActions();
    void buildMenus();
    void buildToolBar();
    void buildHelpActions();
    void cyclePanes(int direction);
    void setTheme(const QString& theme);
    void showManual(const QString& topic);

    DocumentState* m_state;
    LayoutService* m_layouts;
    DocumentLoader* m_loader;
    SolveController* m_solver;
    SweepController* m_sweep;
    OverheadSearch* m_overhead = nullptr;  ///< null without its backend
    SolverBackend* m_backend;
    ActionRegistry* m_actions;
    std::vector<Example> m_exampleList;

    QStackedWidget* m_center = nullptr;
    StartPage* m_start = nullptr;
    MessageBar* m_messages = nullptr;
    DagView* m_dag = nullptr;
    TimelineView* m_timeline = nullptr;
    ParetoModel* m_pareto = nullptr;
    ParetoChart* m_chart = nullptr;
    HeatMap* m_heatMap = nullptr;
    QStackedWidget* m_paretoViews = nullptr;
    QComboBox* m_paretoAxis = nullptr;
    QButtonGroup* m_timelineUnit = nullptr;
    QButtonGroup* m_memoryForm = nullptr;
    QToolButton* m_sweepButton = nullptr;
    ConstraintsPanel* m_constraints = nullptr;
    ModelPanel* m_modelPanel = nullptr;
    PropertiesPanel* m_properties = nullptr;
    SummaryPanel* m_summary = nullptr;
    EventsTable* m_table = nullptr;
    PlansTable* m_plans = nullptr;
    std::vector<ExportableView> m_exportable;  ///< made when first asked for
    BreakEvenView* m_breakEven = nullptr;
    SideBySide* m_sideBySide = nullptr;
    ComparePanel* m_compare = nullptr;
    ReportPanel* m_report = nullptr;
    LessonPanel* m_lessons = nullptr;
    PointChooser* m_points = nullptr;        ///< made when first asked for
    DeviceEditor* m_deviceEditor = nullptr;  ///< made when first asked for
    QList<QDockWidget*> m_docks;
    QMenu* m_recentMenu = nullptr;
    QToolBar* m_toolBar = nullptr;
    QComboBox* m_coloring = nullptr;
    SearchField* m_search = nullptr;
    StepBar* m_steps = nullptr;
    QLabel* m_shownLabel = nullptr;
    QLabel* m_layoutLabel = nullptr;
    QLabel* m_rangeLabel = nullptr;
    QProgressBar* m_sweepBar = nullptr;
    QPushButton* m_sweepCancel = nullptr;
    ManualWindow* m_manual = nullptr;        ///< made when first asked for
    Tour* m_tour = nullptr;                  ///< made when first asked for
    QStringList m_recent;
    QByteArray m_defaultLayout;
    QString m_workspacePath;
    QString m_layoutText;     ///< the message about a layout that takes long
    QStringList m_leftovers;  ///< autosaved sessions, the offered one first; gone once it is restored
    std::unique_ptr<LessonStep> m_lessonStep;    ///< whose model is being read
    std::optional<BeforeLesson> m_beforeLesson;  ///< set while a lesson runs
    Autosave* m_autosave = nullptr;  ///< null: none
    bool m_isGraphShown = false;
    bool m_isSetupChange = false;  ///< what is being read is the open model with another setup
};

}  // namespace poet
