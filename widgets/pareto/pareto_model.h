// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document_state.h"

#include <QAbstractTableModel>

#include <optional>
#include <utility>
#include <vector>

namespace poet {

/// What energy is drawn against.
enum class ParetoAxis { Memory, Deadline };

/// One known schedule as a point; or a proof.
struct ParetoPoint {
    PlanPtr plan;                  ///< null for infeasible points
    Strategy strategy = Strategy::Integrated;
    std::int64_t memoryBytes = 0;  ///< what it needs (infeasible: what was proven not enough)
    double seconds = 0;
    double energyJoules = 0;
    double overheadPercent = 0;    ///< over keep-all
    double boundJoules = 0;        ///< proven for its own memory; 0 if none
    bool isDominated = false;      ///< another known plan of its strategy needs no more of the axis and no more energy
    bool isShown = false;
    bool isOnTheWay = false;       ///< found while searching for a better plan for the same limits, or for limits of a drag
    bool isKnee = false;           ///< where the curve of the present strategy bends most, see findKnee()
};

/// The point of a curve where spending more stops paying: both axes scaled to the curve's own range, the point farthest
/// below the straight line between its ends. Points by rising x, y falling; empty below three points or without a bend.
/// Source: Satopaa et al., "Finding a kneedle in a haystack", 2011, section III.
[[nodiscard]] std::optional<std::size_t> findKnee(const std::vector<std::pair<double, double>>& curve);

/// Every known plan of the problem that keeps the other limit (the deadline on the memory axis, the memory on the
/// deadline axis): a table, and the chart's data. Rows by the axis.
class ParetoModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { StrategyColumn, MemoryColumn, EnergyColumn, OverheadColumn, TimeColumn, GapColumn, NameColumn, ColumnCount };

    static constexpr int kSortRole = Qt::UserRole;  ///< numbers and names to sort by

    explicit ParetoModel(DocumentState& state, QObject* parent = nullptr);

    [[nodiscard]] const std::vector<ParetoPoint>& points() const { return m_points; }
    void setAxis(ParetoAxis axis);
    [[nodiscard]] ParetoAxis axis() const { return m_axis; }
    /// Bytes or seconds of a point on the present axis.
    [[nodiscard]] double axisValue(const ParetoPoint& point) const;
    /// Points of one strategy that nothing dominates, by the axis, energy falling: the drawn curve.
    [[nodiscard]] std::vector<ParetoPoint> frontier(Strategy strategy) const;
    [[nodiscard]] QString csv() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// Names a plan.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    void refreshed();

private:
    void rebuild();
    void markKnee();
    void markOnTheWay();
    /// What a column is sorted by.
    [[nodiscard]] QVariant sortValue(const ParetoPoint& point, int column) const;

    DocumentState& m_state;
    ParetoAxis m_axis = ParetoAxis::Memory;
    std::vector<ParetoPoint> m_points;
};

}  // namespace poet
