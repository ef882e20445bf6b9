// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document_state.h"

#include <QAbstractTableModel>

#include <vector>

namespace poet {

/// One known schedule as a point; or a proof.
struct ParetoPoint {
    PlanPtr plan;                  ///< null for infeasible points
    Strategy strategy = Strategy::Integrated;
    std::int64_t memoryBytes = 0;  ///< what it needs (infeasible: what was proven not enough)
    double seconds = 0;
    double energyJoules = 0;
    double overheadPercent = 0;    ///< over keep-all
    double boundJoules = 0;        ///< proven for its own memory; 0 if none
    bool isDominated = false;      ///< another known plan needs no more memory and no more energy
    bool isShown = false;
};

/// Every known plan of the problem that keeps the deadline: a table, and the chart's data. Rows by memory.
class ParetoModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { StrategyColumn, MemoryColumn, EnergyColumn, OverheadColumn, TimeColumn, GapColumn, ColumnCount };

    explicit ParetoModel(DocumentState& state, QObject* parent = nullptr);

    [[nodiscard]] const std::vector<ParetoPoint>& points() const { return m_points; }
    /// Points of one strategy that nothing dominates, by memory, energy falling: the drawn curve.
    [[nodiscard]] std::vector<ParetoPoint> frontier(Strategy strategy) const;
    [[nodiscard]] QString csv() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    void refreshed();

private:
    void rebuild();

    DocumentState& m_state;
    std::vector<ParetoPoint> m_points;
};

}  // namespace poet
