// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/device/measured_rows.h"
#include "core/graph/training_graph.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace poet {

/// y = coefficients . (1, x1, x2) with coefficients >= 0.
struct LinearFit {
    std::array<double, 3> coefficients{};
    double largestRelativeResidual = 0;  ///< of the rows that were fitted

    [[nodiscard]] double at(double x1, double x2) const { return coefficients[0] + coefficients[1] * x1 + coefficients[2] * x2; }
};
/// One observation of a fit.
struct FitPoint {
    double x1 = 0;
    double x2 = 0;
    double y = 0;
};
/// Non-negative least squares of relative residuals, exact by trying every set of active coefficients. Coefficients
/// whose column is 0 or constant everywhere stay 0. Empty without points or when a y is not positive.
[[nodiscard]] std::optional<LinearFit> fitNonNegative(const std::vector<FitPoint>& points);

/// Measured rows that hold for one operating point and library, ready to be asked (devices.md, section 4): node name,
/// then exact key, then a fit of t = a + b FLOP + c bytes within the operator class (at least 4 rows), then nothing.
class RowLookup {
public:
    /// What was found for a piece of work.
    struct Answer {
        double seconds = 0;
        std::optional<double> joules;  ///< total; empty: power from the profile
        bool isExact = false;          ///< a row, not a fit
    };

    RowLookup(const std::vector<MeasuredRow>& rows, const TrainingGraph& graph, std::string_view operatingPoint, std::string_view library);

    [[nodiscard]] std::optional<Answer> find(const TrainingNode& node, const Work& work) const;
    [[nodiscard]] bool isEmpty() const { return m_byNode.empty() && m_byKey.empty() && m_fits.empty(); }

private:
    struct ClassFit {
        LinearFit seconds;
        std::optional<LinearFit> joules;
    };
    std::map<std::pair<std::string, std::string>, const MeasuredRow*> m_byNode;               ///< node, op
    std::map<std::tuple<std::string, std::string, std::string>, const MeasuredRow*> m_byKey;  ///< op, type, key
    std::map<std::string, ClassFit, std::less<>> m_fits;  ///< by operator class

    [[nodiscard]] const MeasuredRow* exact(const TrainingNode& node, const Work& work) const;
    void fitClasses(const std::vector<MeasuredRow>& rows, const TrainingGraph& graph);
};

}  // namespace poet
