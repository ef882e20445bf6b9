// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace poet {

/// One page of a lesson: what to read, and what the window does while it is read.
struct LessonStep {
    QString text;        ///< HTML
    QString model;       ///< example to open; empty: stay
    QString device;
    QString transfer;    ///< "paper", "blocking", "dma"; empty: as the device says
    QString memory;      ///< as typed: "50%span"
    QString deadline;    ///< as typed: "120%"; "none" drops it
    QString strategy;    ///< "integrated", "keep-all", ...
    QString dock;        ///< objectName of the dock to bring to front
};

/// A lesson as shipped (format `poet-lesson` version 1).
struct Lesson {
    QString title;
    std::vector<LessonStep> steps;
};

/// Errors: BadModel naming the key.
[[nodiscard]] Expected<Lesson> parseLesson(const QByteArray& json, const QString& where);
/// The four lessons that ship with the program, in its language when first asked for.
[[nodiscard]] const std::vector<Lesson>& shippedLessons();

}  // namespace poet
