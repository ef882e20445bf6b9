// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/device/device_profile.h"
#include "widgets/document/problem.h"

#include <vector>

/// What differs between two plans, two devices or two models. Pure.
namespace poet {

/// One line of a comparison.
struct ComparedFigure {
    QString name;
    QString a;
    QString b;
    QString difference;  ///< "+12 %"; empty when equal
};

/// Key figures of two plans of one problem.
[[nodiscard]] std::vector<ComparedFigure> comparePlans(const Problem& problem, const Plan& a, const Plan& b);
/// What two problems need and cost. `plan`: one of A; when B has the same nodes, it is replayed there, too.
[[nodiscard]] std::vector<ComparedFigure> compareProblems(const Problem& a, const Problem& b, const Plan* plan);

/// Tensors that the plans treat differently, largest first.
[[nodiscard]] std::vector<ComparedFigure> decisionDifferences(const Problem& problem, const Plan& a, const Plan& b);
/// Numbers of the devices that are not the same, in the order of the profile; what only one has stands against a dash.
[[nodiscard]] std::vector<ComparedFigure> deviceDifferences(const DeviceProfile& a, const DeviceProfile& b);
/// Operators of which the models do not have equally many or equally large ones, largest first.
[[nodiscard]] std::vector<ComparedFigure> operatorDifferences(const Problem& a, const Problem& b);

}  // namespace poet
