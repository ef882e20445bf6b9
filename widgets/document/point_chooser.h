// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document_state.h"

#include <QObject>
#include <QPointer>
#include <QProcess>

namespace poet {

/// Which operating point of the device needs least energy under the present limits: asks the command, which solves every
/// point or proves that it cannot be better (`poet solve --operating-point auto`). One question at a time.
class PointChooser : public QObject {
    Q_OBJECT
public:
    explicit PointChooser(QString program, QObject* parent = nullptr);
    ~PointChooser() override;

    void ask(const Problem& problem, const Controls& controls);
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_process != nullptr; }
    /// The command line of a question, without the program.
    [[nodiscard]] static QStringList arguments(const Problem& problem, const Controls& controls);

Q_SIGNALS:
    /// `report`: one line a point, what became of it.
    void chosen(const QString& point, const QString& report);
    void failed(const QString& message);

private:
    void finish(QProcess* process);

    QString m_program;
    QPointer<QProcess> m_process;
};

}  // namespace poet
