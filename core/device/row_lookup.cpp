// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/device/row_lookup.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace poet {
namespace {

constexpr std::size_t kSmallestFit = 4;  // rows; devices.md, section 4
constexpr int kCoefficients = 3;

using Matrix = std::array<std::array<double, kCoefficients + 1>, kCoefficients>;

/// Solves the normal equations of the columns in `mask` by elimination with pivoting; empty when they are singular.
std::optional<std::array<double, kCoefficients>> solveSubset(const Matrix& normal, unsigned mask)
{
    std::vector<int> columns;
    for (int i = 0; i < kCoefficients; ++i)
        if (mask & (1U << i))
            columns.push_back(i);
    const std::size_t n = columns.size();
    std::vector<std::vector<double>> rows(n, std::vector<double>(n + 1));
    for (std::size_t r = 0; r < n; ++r) {
        for (std::size_t c = 0; c < n; ++c)
            rows[r][c] = normal[static_cast<std::size_t>(columns[r])][static_cast<std::size_t>(columns[c])];
        rows[r][n] = normal[static_cast<std::size_t>(columns[r])][kCoefficients];
    }
    for (std::size_t pivot = 0; pivot < n; ++pivot) {
        std::size_t best = pivot;
        for (std::size_t r = pivot + 1; r < n; ++r)
            if (std::abs(rows[r][pivot]) > std::abs(rows[best][pivot]))
                best = r;
        if (std::abs(rows[best][pivot]) < 1e-11)  // columns are scaled to 1
            return std::nullopt;
        std::swap(rows[pivot], rows[best]);
        for (std::size_t r = 0; r < n; ++r) {
            const double factor = r == pivot ? 0 : rows[r][pivot] / rows[pivot][pivot];
            for (std::size_t c = pivot; factor != 0 && c <= n; ++c)
                rows[r][c] -= factor * rows[pivot][c];
        }
    }
    std::array<double, kCoefficients> solution{};
    for (std::size_t r = 0; r < n; ++r)
        solution[static_cast<std::size_t>(columns[r])] = rows[r][n] / rows[r][r];
    return solution;
}

double largestResidual(const LinearFit& fit, const std::vector<FitPoint>& points, double& sum)
{
    double largest = 0;
    sum = 0;
    for (const FitPoint& point : points) {
        const double residual = std::abs(fit.at(point.x1, point.x2) / point.y - 1);
        largest = std::max(largest, residual);
        sum += residual * residual;
    }
    return largest;
}

/// Columns 1, x1, x2, each scaled to a largest weighted entry of 1.
struct ScaledColumns {
    std::array<double, kCoefficients> scale{};
    Matrix normal{};

    explicit ScaledColumns(const std::vector<FitPoint>& points)
    {
        for (const FitPoint& point : points)
            for (std::size_t c = 0; c < kCoefficients; ++c)
                scale[c] = std::max(scale[c], column(point, c) / point.y);
        for (const FitPoint& point : points)
            for (std::size_t r = 0; r < kCoefficients; ++r) {
                for (std::size_t c = 0; c < kCoefficients; ++c)
                    normal[r][c] += scaled(point, r) * scaled(point, c);
                normal[r][kCoefficients] += scaled(point, r);
            }
    }
    static double column(const FitPoint& point, std::size_t index) { return index == 0 ? 1.0 : index == 1 ? point.x1 : point.x2; }
    double scaled(const FitPoint& point, std::size_t index) const
    {
        return scale[index] > 0 ? column(point, index) / point.y / scale[index] : 0;
    }
};

bool isSame(std::string_view rowText, std::string_view wanted) { return rowText.empty() || wanted.empty() || rowText == wanted; }

}  // namespace

std::optional<LinearFit> fitNonNegative(const std::vector<FitPoint>& points)
{
    if (points.empty() || std::ranges::any_of(points, [](const FitPoint& point) { return !(point.y > 0); }))
        return std::nullopt;
    const ScaledColumns columns(points);
    std::optional<LinearFit> best;
    double bestSum = std::numeric_limits<double>::infinity();
    for (unsigned mask = 1; mask < (1U << kCoefficients); ++mask) {
        const auto solution = solveSubset(columns.normal, mask);
        if (!solution || std::ranges::any_of(*solution, [](double value) { return value < 0; }))
            continue;
        LinearFit fit;
        for (std::size_t c = 0; c < kCoefficients; ++c)
            fit.coefficients[c] = columns.scale[c] > 0 ? (*solution)[c] / columns.scale[c] : 0;
        double sum = 0;
        fit.largestRelativeResidual = largestResidual(fit, points, sum);
        if (sum < bestSum) {
            best = fit;
            bestSum = sum;
        }
    }
    return best;
}

RowLookup::RowLookup(const std::vector<MeasuredRow>& rows, const TrainingGraph& graph, std::string_view operatingPoint,
                     std::string_view library)
{
    std::vector<MeasuredRow> usable;
    for (const MeasuredRow& row : rows) {
        if (row.isStore() || row.isIdle() || !isSame(row.operatingPoint, operatingPoint) || !isSame(row.library, library))
            continue;
        usable.push_back(row);
        // Later rows replace earlier ones: a measurement is repeated to be better.
        if (!row.node.empty())
            m_byNode[{row.node, row.op}] = &row;
        else
            m_byKey[{row.op, row.type == "-" ? std::string() : row.type, row.shape}] = &row;
    }
    if (!usable.empty())
        fitClasses(usable, graph);
}

const MeasuredRow* RowLookup::exact(const TrainingNode& node, const Work& work) const
{
    if (const auto byNode = m_byNode.find({node.name, work.op}); byNode != m_byNode.end())
        return byNode->second;
    for (const std::string_view type : {name(node.type), std::string_view()})
        if (const auto byKey = m_byKey.find({work.op, std::string(type), work.key}); byKey != m_byKey.end())
            return byKey->second;
    return nullptr;
}

void RowLookup::fitClasses(const std::vector<MeasuredRow>& rows, const TrainingGraph& graph)
{
    struct ClassPoints {
        std::vector<FitPoint> seconds;
        std::vector<FitPoint> joules;
    };
    std::map<std::string, ClassPoints> classes;
    const auto add = [&](const std::string& opClass, double flops, double bytes, const MeasuredRow& row) {
        ClassPoints& points = classes[opClass];
        points.seconds.push_back({flops, bytes, row.seconds});
        if (row.joules)
            points.joules.push_back({flops, bytes, *row.joules});
    };
    for (const MeasuredRow& row : rows)
        if (row.flops && row.bytes && !row.opClass.empty())
            add(row.opClass, *row.flops, *row.bytes, row);
    std::set<const MeasuredRow*> seen;
    for (const TrainingNode& node : graph.nodes)
        for (const Work& work : node.work)
            if (const MeasuredRow* row = exact(node, work); row && !row->flops && seen.insert(row).second)
                add(std::string(name(work.opClass)), work.flops, static_cast<double>(work.bytesRead + work.bytesWritten), *row);
    for (const auto& [opClass, points] : classes) {
        if (points.seconds.size() < kSmallestFit)
            continue;
        const auto seconds = fitNonNegative(points.seconds);
        if (!seconds)
            continue;
        // Energies of some rows only would mix two scales.
        auto joules = points.joules.size() == points.seconds.size() ? fitNonNegative(points.joules) : std::nullopt;
        m_fits.emplace(opClass, ClassFit{*seconds, joules});
    }
}

std::optional<RowLookup::Answer> RowLookup::find(const TrainingNode& node, const Work& work) const
{
    if (const MeasuredRow* row = exact(node, work))
        return Answer{row->seconds, row->joules, true};
    const auto fit = m_fits.find(name(work.opClass));
    if (fit == m_fits.end())
        return std::nullopt;
    const auto bytes = static_cast<double>(work.bytesRead + work.bytesWritten);
    Answer answer{fit->second.seconds.at(work.flops, bytes), {}, false};
    if (fit->second.joules)
        answer.joules = fit->second.joules->at(work.flops, bytes);
    return answer;
}

}  // namespace poet
