// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/problem.h"
#include "widgets/document/workspace.h"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>

namespace poet {

/// Where the numbers of a device come from.
enum class DeviceGroup { Published, Corrected, Own };

/// A device profile as the device list shows it.
struct DeviceEntry {
    QString id;        ///< of a shipped profile, or the path of a file
    QString title;     ///< "nRF52840"
    QString summary;   ///< "256 KiB RAM, SD card, DMA"
    DeviceGroup group = DeviceGroup::Corrected;
};

/// A frequency and voltage that a device can run at.
struct OperatingPointEntry {
    QString id;       ///< name in the profile
    QString summary;  ///< "64 MHz, 10 mW busy, 1 mW idle"
};

/// What a device leaves to choose, the default first.
struct DeviceChoices {
    QStringList libraries;  ///< of kernels
    QStringList stores;     ///< ids
};

/// What only the program knows how to read (ONNX, device profiles); handed to the window by `main`, so that this
/// library links neither. All functions are called off the GUI thread except `devices`.
struct ModelReaders {
    /// ONNX file -> training graph.
    std::function<Expected<std::shared_ptr<const TrainingGraph>>(const QString& path, const ModelSetup& setup)> importModel;
    /// Training graph and device -> costs. `deviceName` gets the name to show.
    std::function<Expected<CostGraph>(const TrainingGraph& graph, const ModelSetup& setup, QString& deviceName)> buildCosts;
    std::function<QList<DeviceEntry>()> devices;
    /// RAM of a device in bytes, of all regions; 0 when unknown.
    std::function<std::int64_t(const QString& device)> deviceRam;
    /// Operating points of a device, the default first; empty when unknown.
    std::function<QList<OperatingPointEntry>(const QString& device)> operatingPoints;
    /// Kernel libraries and page stores of a device; empty when unknown.
    std::function<DeviceChoices(const QString& device)> deviceChoices;
    /// One paragraph about a device, for the model panel; empty if unknown.
    std::function<QString(const QString& device)> describeDevice;
};

/// Reads models on a thread pool; the old document stays until the new one is complete.
class DocumentLoader : public QObject {
    Q_OBJECT
public:
    explicit DocumentLoader(ModelReaders readers, QObject* parent = nullptr);

    /// Opens a cost graph (.json), a schedule file or an ONNX model. A later call makes earlier answers void.
    void open(const QString& path, const ModelSetup& setup);
    /// Opens a project: its model with its setup, and its plans replayed.
    void openWorkspace(const QString& path);
    void cancel();
    [[nodiscard]] bool isLoading() const { return m_isLoading; }
    [[nodiscard]] const ModelReaders& readers() const { return m_readers; }
    /// The work of open() without a thread; for tests and for the command-line screenshot.
    [[nodiscard]] static Expected<ProblemPtr> load(const ModelReaders& readers, const QString& path, const ModelSetup& setup,
                                                   PlanPtr* plan, const std::function<void(QString)>& stage);

Q_SIGNALS:
    /// "read", "costs", ...: what is being done for which file.
    void stageChanged(const QString& text);
    /// `plan` is the plan of a schedule file, else null.
    void loaded(poet::ProblemPtr problem, poet::PlanPtr plan);
    /// `workspace->plans` are those that replay on `problem`; `refused` stored ones do not.
    void workspaceLoaded(const QString& path, poet::ProblemPtr problem, std::shared_ptr<const poet::Workspace> workspace, int refused);
    void failed(const QString& path, const poet::Error& error);

private:
    using Stage = std::function<void(const QString&)>;
    /// What is emitted in the GUI thread once the reading is done.
    using Answer = std::function<void(DocumentLoader&)>;
    /// Runs `read` on the pool and its answer here, unless something else was asked for meanwhile.
    void run(const QString& path, std::function<Expected<Answer>(const Stage&)> read);

    ModelReaders m_readers;
    quint64 m_generation = 0;
    bool m_isLoading = false;
};

}  // namespace poet
