// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/device/calibrate.h"

#include "core/base/units.h"
#include "core/device/device_columns.h"
#include "core/device/row_lookup.h"

#include <algorithm>
#include <set>

namespace poet {
namespace {

constexpr std::size_t kSmallestStoreFit = 3;  // sizes; devices.md, section 4
constexpr double kLargestResidual = 0.30;

/// The size of a store row: its bytes column, or "bytes=4096" in its shape.
Expected<double> bytesOf(const MeasuredRow& row)
{
    if (row.bytes)
        return *row.bytes;
    if (row.shape.starts_with("bytes=")) {
        POET_TRY(bytes, parseBytes(row.shape.substr(6)));
        return static_cast<double>(bytes);
    }
    return fail(ErrorCode::BadProfile, "A row of " + row.op + " says \"" + row.shape + "\" instead of its size.", "Write bytes=4096 in the shape column.");
}

class Calibrator {
public:
    Calibrator(const DeviceProfile& profile, const std::vector<MeasuredRow>& rows, const std::string& rowsName) : m_rows(rows), m_rowsName(rowsName)
    {
        m_result.profile = profile;
    }

    Expected<Calibration> run()
    {
        if (m_rows.empty())
            return fail(ErrorCode::BadProfile, m_rowsName + " holds no rows.");
        DeviceProfile& profile = m_result.profile;
        profile.profileClass = ProfileClass::User;
        if (!profile.id.ends_with("-calibrated"))
            profile.id += "-calibrated";
        int operators = 0;
        for (const MeasuredRow& row : m_rows) {
            if (!row.operatingPoint.empty() && !profile.operatingPoint(row.operatingPoint))
                return fail(ErrorCode::BadProfile, m_rowsName + " was measured at operating point \"" + row.operatingPoint + "\", which " + profile.id + " does not have.",
                            "Add the point to the profile, or correct the rows.");
            if (row.isIdle())
                setIdle(row);
            if (row.isStore() || row.isIdle())
                continue;
            profile.measured.push_back(row);
            ++operators;
        }
        m_result.notes.push_back(std::to_string(operators) + " operator rows are used as measured.");
        POET_CHECK(setStore());
        repairIdle();
        return std::move(m_result);
    }

private:
    const std::vector<MeasuredRow>& m_rows;
    const std::string& m_rowsName;
    Calibration m_result;

    /// A measured quantity with the spread of its rows.
    Quantity measured(double value, Dimension dimension, const MeasuredRow& row, std::optional<double> spread) const
    {
        Quantity quantity = makeQuantity(value, dimension, Origin::Measured, m_rowsName + (row.instrument.empty() ? "" : ", " + row.instrument), "");
        // Rows date by day; quantities by month.
        if (row.date.size() >= 7 && row.date[4] == '-')
            quantity.date = row.date.substr(0, 7);
        if (spread) {
            quantity.spread = *spread;
            quantity.highFactor = 1 + *spread;
            quantity.lowFactor = 1 / quantity.highFactor;
        }
        return quantity;
    }

    void setIdle(const MeasuredRow& row)
    {
        if (!row.joules || !(row.seconds > 0)) {
            m_result.notes.push_back("The idle row gives no energy and changes nothing.");
            return;
        }
        const double watts = *row.joules / row.seconds;
        for (OperatingPoint& point : m_result.profile.operatingPoints)
            if (row.operatingPoint.empty() ? &point == &m_result.profile.operatingPoints.front() : point.name == row.operatingPoint) {
                point.idlePower = measured(watts, Dimension::Power, row, {});
                m_result.notes.push_back("Idle power of " + point.name + " is " + siNumber(watts, "W") + ".");
            }
    }

    Expected<void> setStore()
    {
        const bool hasRows = std::ranges::any_of(m_rows, &MeasuredRow::isStore);
        if (!hasRows)
            return {};
        if (m_result.profile.stores.empty())
            return fail(ErrorCode::BadProfile, m_rowsName + " holds rows of a page store, but " + m_result.profile.id + " has none.");
        StoreProfile& store = m_result.profile.stores.front();
        POET_CHECK(setDirection("store.read", store.readLatency, store.readBandwidth, store.readPower));
        POET_CHECK(setDirection("store.write", store.writeLatency, store.writeBandwidth, store.writePower));
        for (const MeasuredRow& row : m_rows)
            if (row.op == "store.erase") {
                store.eraseTime = measured(row.seconds, Dimension::Time, row, {});
                m_result.notes.push_back("Erasing a block of " + store.id + " takes " + formatSeconds(row.seconds) + ".");
            }
        return {};
    }

    Expected<void> setDirection(std::string_view op, std::optional<Quantity>& latency, std::optional<Quantity>& bandwidth, std::optional<Quantity>& power)
    {
        std::vector<FitPoint> points;
        std::set<double> sizes;
        const MeasuredRow* last = nullptr;
        double joules = 0;
        double joulesSeconds = 0;
        for (const MeasuredRow& row : m_rows) {
            if (row.op != op)
                continue;
            POET_TRY(bytes, bytesOf(row));
            points.push_back({bytes, 0, row.seconds});
            sizes.insert(bytes);
            last = &row;
            joules += row.joules.value_or(0);
            joulesSeconds += row.joules ? row.seconds : 0;
        }
        if (!last)
            return {};
        if (joulesSeconds > 0)
            setPower(op, joules / joulesSeconds, *last, power);
        if (sizes.size() < kSmallestStoreFit) {
            m_result.notes.push_back(std::string(op) + " was measured at fewer than three sizes: latency and bandwidth stay as they were.");
            return {};
        }
        const auto fit = fitNonNegative(points);
        if (!fit || !(fit->coefficients[1] > 0)) {
            m_result.notes.push_back(std::string(op) + " does not take longer for more bytes: latency and bandwidth stay as they were.");
            return {};
        }
        const double spread = std::max(fit->largestRelativeResidual, 0.01);
        latency = measured(fit->coefficients[0], Dimension::Time, *last, spread);
        bandwidth = measured(1 / fit->coefficients[1], Dimension::Bandwidth, *last, spread);
        // What was measured came over the bus.
        m_result.profile.stores.front().busBandwidth.reset();
        m_result.notes.push_back(std::string(op) + ": latency " + formatSeconds(latency->value) + ", " + siNumber(bandwidth->value, "B/s") + ".");
        if (fit->largestRelativeResidual > kLargestResidual)
            m_result.notes.push_back(std::string(op) + " is off its straight line by up to " + formatPercent(100 * fit->largestRelativeResidual)
                                     + ": the store may have two regimes.");
        return {};
    }

    /// A meter sees core and store: (store + transfer power) x time is the whole.
    void setPower(std::string_view op, double watts, const MeasuredRow& row, std::optional<Quantity>& power)
    {
        const DeviceProfile& profile = m_result.profile;
        const OperatingPoint& point = *profile.operatingPoint(row.operatingPoint);
        const double core = profile.accounting == Accounting::Paper ? 0 : point.transferWatts(profile.transferModels.front());
        if (watts - core <= 0) {
            m_result.notes.push_back(std::string(op) + " needs less power than the core alone: the power of the store stays as it was.");
            return;
        }
        power = measured(watts - core, Dimension::Power, row, {});
        m_result.notes.push_back(std::string(op) + ": the store needs " + siNumber(watts - core, "W") + ".");
    }

    /// A measured idle power may contradict the profile's other powers.
    void repairIdle()
    {
        for (OperatingPoint& point : m_result.profile.operatingPoints) {
            if (point.idleWatts() > point.activePower.value) {
                m_result.notes.push_back("Idle power of " + point.name + " was measured above its active power, which is raised to it: measure joules too.");
                point.activePower.value = point.idleWatts();
            }
            if (point.transferPower && point.transferPower->value < point.idleWatts())
                point.transferPower->value = point.idleWatts();
        }
        for (StoreProfile& store : m_result.profile.stores)
            for (auto* power : {&store.readPower, &store.writePower, &store.erasePower})
                if (*power && store.idlePower && (*power)->value < store.idlePower->value)
                    store.idlePower->value = (*power)->value;
    }
};

}  // namespace

Expected<Calibration> calibrate(const DeviceProfile& profile, const std::vector<MeasuredRow>& rows, const std::string& rowsName)
{
    return Calibrator(profile, rows, rowsName).run();
}

}  // namespace poet
