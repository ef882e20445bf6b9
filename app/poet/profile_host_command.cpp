// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "app/poet/child_process.h"
#include "app/poet/commands.h"
#include "app/poet/event_stream.h"
#include "app/poet/export_firmware.h"
#include "app/poet/model_options.h"
#include "core/base/files.h"
#include "core/base/units.h"
#include "core/device/calibrate.h"
#include "core/device/host_energy.h"
#include "core/device/host_store.h"
#include "core/planning/problem.h"

#include <CLI/CLI.hpp>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <set>
#include <stdlib.h>
#include <thread>

namespace poet {
namespace {

namespace fs = std::filesystem;

constexpr double kStoreSeconds = 10;  ///< for the page store

struct HostOptions {
    ModelOptions model;
    std::string output;
    std::string rows;
    std::string storeFolder = "/var/tmp";
    int steps = 10;
    double idleSeconds = 2;
};

/// A folder that is removed with the object.
class WorkFolder {
public:
    [[nodiscard]] static Expected<std::unique_ptr<WorkFolder>> make()
    {
        std::string name = (fs::temp_directory_path() / "poet_profile_XXXXXX").string();
        if (!::mkdtemp(name.data()))
            return fail(ErrorCode::FileNotFound, "No temporary folder can be made in '" + fs::temp_directory_path().string() + "'.", "Set TMPDIR.");
        return std::unique_ptr<WorkFolder>(new WorkFolder(name));
    }
    ~WorkFolder()
    {
        std::error_code code;
        fs::remove_all(m_path, code);
    }
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;
    [[nodiscard]] fs::path file(const char* name) const { return m_path / name; }

private:
    explicit WorkFolder(fs::path path) : m_path(std::move(path)) {}
    fs::path m_path;
};

/// Mean power since the counters were made; nothing without counters.
std::optional<double> meanWatts(const EnergyCounters& counters, std::chrono::steady_clock::time_point begin)
{
    const auto joules = counters.joules();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return joules && seconds > 0 ? std::optional<double>(*joules / seconds) : std::nullopt;
}

/// The keep-all step of the model as a folder of C that measures itself.
Expected<void> exportCalibration(const LoadedModel& model, const std::string& modelPath, const WorkFolder& work)
{
    POET_TRY(facts, planning::findFacts(*model.costs, model.transfer));
    PlanFile file{*model.costs, {}};
    file.plan.status = SolveStatus::Optimal;
    file.plan.strategy = Strategy::KeepAll;
    file.plan.transfer = model.transfer;
    file.plan.memoryBytes = 2 * facts.keepAllPeakBytes;  // offsets need a little more than the peak
    file.plan.replay = facts.keepAll;
    file.plan.source = model.source;
    file.plan.source.model = fs::absolute(modelPath).string();
    return exportFolder({.schedule = work.file("plan.json").string(), .output = work.file("c").string(), .name = "model", .withKernels = true, .calibrate = true}, file);
}

struct Measured {
    std::vector<MeasuredRow> rows;
    std::optional<double> watts;      ///< of the machine while it measured
    std::optional<double> idleWatts;  ///< while it waited
};

Expected<Measured> measure(const HostOptions& options, const WorkFolder& work)
{
    const std::string source = work.file("c").string();
    const std::string build = work.file("build").string();
    const fs::path log = work.file("log");
    std::cerr << "poet: compiling the reference kernels\n";
    POET_CHECK(runChild({"cmake", "-S", source, "-B", build, "-DCMAKE_BUILD_TYPE=Release"}, log));
    POET_CHECK(runChild({"cmake", "--build", build}, log));
    Measured measured;
    auto begin = std::chrono::steady_clock::now();
    const EnergyCounters idle;
    if (idle.isPresent() && options.idleSeconds > 0) {
        std::this_thread::sleep_for(std::chrono::duration<double>(options.idleSeconds));
        measured.idleWatts = meanWatts(idle, begin);
    }
    std::cerr << "poet: measuring " << options.steps << " steps\n";
    begin = std::chrono::steady_clock::now();
    const EnergyCounters busy;
    POET_CHECK(runChild({build + "/calibrate", "--steps", std::to_string(options.steps)}, log, work.file("rows.csv")));
    measured.watts = meanWatts(busy, begin);
    POET_TRY(text, readFile(work.file("rows.csv")));
    POET_TRY(rows, parseMeasuredRows(text, "The measuring program's output"));
    measured.rows = std::move(rows);
    std::cerr << "poet: measuring the page store in " << options.storeFolder << '\n';
    POET_TRY(store, measureHostStore(options.storeFolder, kStoreSeconds));
    if (!store.isPastCache)
        std::cout << "The file system of " << options.storeFolder << " has no direct access: reads may come from the kernel's cache.\n";
    for (MeasuredRow& row : store.rows) {
        row.instrument = measured.rows.empty() ? "clock of the host" : measured.rows.front().instrument;
        row.library = measured.rows.empty() ? "" : measured.rows.front().library;
        measured.rows.push_back(std::move(row));
    }
    return measured;
}

/// Energy from the counters where they can be read, else from the profile; says which.
void addEnergy(Measured& measured, const DeviceProfile& profile, const std::string& operatingPoint)
{
    const OperatingPoint* point = profile.operatingPoint(operatingPoint);
    for (MeasuredRow& row : measured.rows) {
        row.device = profile.id;
        row.operatingPoint = point ? point->name : "";
    }
    if (!measured.watts) {
        std::cout << "No energy counter can be read (RAPL needs /sys/class/powercap, on most systems as root): energy is estimated from the powers of " << profile.id << ".\n";
        return;
    }
    addMeanPower(measured.rows, *measured.watts);
    std::cout << "Energy is the mean power of the run by RAPL, " << formatSi(*measured.watts, "W") << ", times each operator's seconds.\n";
    for (MeasuredRow& row : measured.rows)
        row.instrument = "clock and RAPL of the host, mean power of the run";
    if (!measured.idleWatts)
        return;
    MeasuredRow idle;
    idle.op = "idle";
    idle.type = "-";
    idle.seconds = 1;
    idle.joules = std::min(*measured.idleWatts, *measured.watts);
    idle.device = profile.id;
    idle.operatingPoint = point ? point->name : "";
    idle.instrument = measured.rows.empty() ? "" : measured.rows.front().instrument;
    measured.rows.push_back(idle);
    std::cout << "Idle power by RAPL: " << formatSi(*idle.joules, "W") << ".\n";
}

Expected<Exit> run(const HostOptions& options)
{
    watchInterrupts();
    if (options.output.empty() && options.rows.empty())
        return fail(ErrorCode::BadUsage, "'poet profile-host' has nothing to write.", "Give -o PROFILE.json, --rows ROWS.csv or both.");
    for (const std::string* path : {&options.output, &options.rows})
        if (!path->empty())
            POET_CHECK(checkCanWrite(*path));
    POET_TRY(model, loadModel(options.model, true));
    if (!model.training)
        return fail(ErrorCode::BadUsage, "A cost graph has no operators to measure.", "Give an ONNX model.");
    POET_TRY(work, WorkFolder::make());
    POET_CHECK(exportCalibration(model, options.model.model, *work));
    POET_TRY(measured, measure(options, *work));
    addEnergy(measured, *model.profile, model.choice.operatingPoint);
    if (!options.rows.empty()) {
        POET_CHECK(writeFile(options.rows, toCsv(measured.rows)));
        std::cout << "Wrote " << measured.rows.size() << " rows to " << options.rows << ".\n";
    }
    if (options.output.empty())
        return Exit::Done;
    const std::string rowsName = options.rows.empty() ? "poet profile-host" : fs::path(options.rows).filename().string();
    POET_TRY(calibration, calibrate(*model.profile, measured.rows, rowsName));
    POET_CHECK(writeFile(options.output, toJson(calibration.profile)));
    std::set<std::string> said;
    for (const std::string& note : calibration.notes)
        if (said.insert(note).second)
            std::cout << note << '\n';
    std::cout << "Wrote " << options.output << "; plan with --device " << options.output << ".\n";
    return Exit::Done;
}

}  // namespace

void addProfileHostCommand(CLI::App& app, Action& action)
{
    auto options = std::make_shared<HostOptions>();
    CLI::App* command = app.add_subcommand("profile-host", "Measures a model's operators and a page store on this machine, for a profile of it");
    options->model.device = "laptop-class";
    options->model.addTo(*command, true);
    command->add_option("-o,--output", options->output, "Profile to write: the one of --device with what was measured")->type_name("FILE");
    command->add_option("--rows", options->rows, "Measured rows to write, CSV for 'poet device calibrate'")->type_name("FILE");
    command->add_option("--steps", options->steps, "Training steps to measure")->check(CLI::Range(1, 100000))->capture_default_str();
    command->add_option("--store-folder", options->storeFolder, "Folder on the disk that stands for the page store")->capture_default_str();
    command->add_option("--idle-seconds", options->idleSeconds, "How long to measure idle power, where there is a counter")->check(CLI::NonNegativeNumber)->capture_default_str();
    command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace poet
