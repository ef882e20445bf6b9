// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <utility>
#include <vector>

namespace poet::planning {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A mixed-integer linear program to be minimised, free of any solver's types.
struct LinearProgram {
    struct Column {
        double cost = 0;
        double lower = 0;
        double upper = 1;
        bool isInteger = true;
    };
    struct Row {
        std::vector<std::pair<int, double>> terms;  ///< column, coefficient; each column at most once
        double lower = -kInfinity;
        double upper = kInfinity;
    };
    std::vector<Column> columns;
    std::vector<Row> rows;

    int addColumn(double cost, double lower, double upper, bool isInteger)
    {
        columns.push_back({cost, lower, upper, isInteger});
        return static_cast<int>(columns.size()) - 1;
    }
    int addBinary(double cost) { return addColumn(cost, 0, 1, true); }
    void addRow(std::vector<std::pair<int, double>> terms, double lower, double upper)
    {
        rows.push_back({std::move(terms), lower, upper});
    }
};

}  // namespace poet::planning
