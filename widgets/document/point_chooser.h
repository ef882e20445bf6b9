// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document_state.h"

#include <QObject>
#include <QPointer>
#include <QProcess>

#include <optional>

namespace poet {

/// The operating point to take.
struct PointChoice {
    QString point;
    QString report;           ///< what became of each point
    qint64 memoryBytes = 0;   ///< to take, too, where the smallest for an overhead was asked for; else 0
    qint64 boundBytes = 0;    ///< less is proven to be too little at every point
};

/// Which operating point of the device needs least energy under the present limits, or least memory for an overhead: asks
/// the command, which solves every point or proves that it cannot be better (`poet solve --operating-point auto`). One
/// question at a time.
class PointChooser : public QObject {
    Q_OBJECT
public:
    explicit PointChooser(QString program, QObject* parent = nullptr);
    ~PointChooser() override;

    /// With `overheadPercent`, the memory of the controls does not count: the smallest for that overhead is looked for.
    void ask(const Problem& problem, const Controls& controls, std::optional<double> overheadPercent = {});
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_process != nullptr; }
    /// The command line of a question, without the program.
    [[nodiscard]] static QStringList arguments(const Problem& problem, const Controls& controls, std::optional<double> overheadPercent = {});

Q_SIGNALS:
    void chosen(const PointChoice& choice);
    void failed(const QString& message);

private:
    void finish(QProcess* process);

    QString m_program;
    QPointer<QProcess> m_process;
};

}  // namespace poet
