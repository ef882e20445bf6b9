// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/device/measured_rows.h"
#include "core/device/quantity.h"
#include "core/device/store_profile.h"
#include "core/graph/cost_graph.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace poet {

/// Whose numbers a profile holds.
enum class ProfileClass { PaperConstants, Corrected, User };
[[nodiscard]] std::string_view name(ProfileClass profileClass);

/// How energy is counted (devices.md, section 2). Paper: no idle power, no resident bytes, no rounding to blocks.
enum class Accounting { ActiveAndIdle, Paper };
[[nodiscard]] std::string_view name(Accounting accounting);

/// Where the model's weights live.
enum class WeightPlace { Ram, Flash, Paged };
[[nodiscard]] std::string_view name(WeightPlace place);

/// One memory of the device; the order in the profile is the order of preference.
struct MemoryRegion {
    std::string name;
    std::string kind;                       ///< sram dtcm itcm ccm psram sdram flash
    Quantity bytes;
    std::optional<Quantity> reservedBytes;  ///< stack, runtime, application
    bool hasDma = true;                     ///< DMA reaches it
    bool isCacheable = false;
    std::int64_t cacheLineBytes = 0;        ///< for clean and invalidate; 0 = no cache
    bool isExecutable = false;
    bool operator==(const MemoryRegion&) const = default;
};

/// A frequency and voltage with its powers; powers are totals of the profile's scope.
struct OperatingPoint {
    std::string name;
    std::optional<Quantity> frequency;      ///< Hz
    std::optional<Quantity> voltage;        ///< V; absent: no claim on its scaling
    Quantity activePower;                   ///< W, core busy
    std::optional<Quantity> idlePower;      ///< W, waiting as this point really idles; absent only in `paper` accounting
    std::optional<Quantity> transferPower;  ///< W, core while it drives or awaits a transfer
    std::optional<Quantity> switchTime;     ///< s, change to this point
    std::optional<Quantity> switchEnergy;   ///< J
    bool operator==(const OperatingPoint&) const = default;

    [[nodiscard]] double idleWatts() const { return idlePower ? idlePower->value : 0; }
    /// Default: active power in `blocking` (the core drives the transfer), idle power in `dma`; 0 in `paper`.
    [[nodiscard]] double transferWatts(TransferModel model) const;
};

/// Throughput of one kernel library for an element type and operator class; empty type or class = every one.
struct Rate {
    std::string library;
    std::string type;                        ///< "f32" ...
    std::string opClass;                     ///< "conv" ...
    std::optional<Quantity> flops;           ///< FLOP/s
    std::optional<Quantity> cyclesPerFlop;   ///< cycle/FLOP; time scales with the point's frequency
    std::optional<Quantity> memoryBandwidth; ///< B/s, roof for bytes read and written
    std::optional<Quantity> callOverhead;    ///< s per call
    std::optional<Quantity> flopPerJoule;    ///< FLOP/J; replaces power x time
    bool operator==(const Rate&) const = default;
};

/// A device: `poet-device`, version 1 (devices.md, section 1). Immutable once read.
struct DeviceProfile {
    std::string id;
    std::string name;
    std::string vendor;
    ProfileClass profileClass = ProfileClass::User;
    std::string basedOn;                     ///< id of the profile that absent fields were taken from
    std::vector<std::string> notes;          ///< one sentence each; known defects of the numbers
    Accounting accounting = Accounting::ActiveAndIdle;
    std::string powerScope;                  ///< chip, module, board or wall: what the powers cover
    std::vector<MemoryRegion> memory;
    std::int64_t alignment = 8;              ///< of arena offsets, bytes, 4 to 64
    std::int64_t sizeMultiple = 4;           ///< of tensor sizes, bytes, 4 to 64
    std::int64_t indexBytes = 4;             ///< one pooling or gather index: 1, 2, 4 or 8
    WeightPlace weights = WeightPlace::Ram;
    std::vector<OperatingPoint> operatingPoints;  ///< the first is the default
    std::vector<Rate> rates;                 ///< the first library is the default
    std::vector<TransferModel> transferModels;    ///< what the device can do; the first is the default
    std::optional<Quantity> transferSlowdown;     ///< 1, factor on compute while bytes move
    std::int64_t dmaAlignment = 1;           ///< start and length of DMA buffers, bytes
    std::vector<StoreProfile> stores;        ///< the first is the default; may be empty
    std::vector<MeasuredRow> measured;       ///< rows of all measured files
    std::vector<std::string> sensitivity;    ///< paths of quantities offered as sliders first
    bool operator==(const DeviceProfile&) const = default;

    /// The point of that name, or the first for an empty name; null if there is none.
    [[nodiscard]] const OperatingPoint* operatingPoint(std::string_view pointName) const;
    /// The store of that id, or the first for an empty id; null if there is none.
    [[nodiscard]] const StoreProfile* store(std::string_view storeId) const;
    /// The best fitting rate: library (empty = the first rate's), then type and class exact, class of any type,
    /// rates for every class, at last class "other"; f32 stands in for a type without rates. Null if none.
    [[nodiscard]] const Rate* rate(std::string_view library, std::string_view type, std::string_view opClass) const;
};

/// A profile as read, with what looked implausible; one sentence each, beginning with the JSON path.
struct ReadProfile {
    DeviceProfile profile;
    std::vector<std::string> warnings;
};

/// How a reader finds other files.
struct ProfileSources {
    /// JSON text of the profile that `based_on` names. Errors: BadProfile.
    std::function<Expected<std::string>(const std::string& id)> profileText;
    /// JSON text of the store that `use` names: one object with the fields of a store. Errors: BadProfile.
    std::function<Expected<std::string>(const std::string& id)> storeText;
    /// Text of a measured-rows file, named as in the profile. Errors: FileNotFound.
    std::function<Expected<std::string>(const std::string& path)> rowsText;
};

/// Reads `poet-device` version 1 strictly (devices.md, section 1): unknown field, missing or wrong unit, negative or
/// non-finite value, duplicate name, unknown store, cycle in `based_on`, idle above active power are errors that name
/// the JSON path. `based_on` is merged first: objects field by field, arrays of named things by name (the user's
/// first, in their order), quantities whole. Errors: BadProfile. Threads: pure apart from `sources`.
[[nodiscard]] Expected<ReadProfile> parseDeviceProfile(std::string_view json, std::string_view where, const ProfileSources& sources);

/// Writes the whole profile, `based_on` already merged, stores inline, measured rows inline.
[[nodiscard]] std::string toJson(const DeviceProfile& profile);

/// Checks magnitudes: 0.1 pJ to 10 uJ per FLOP, 1 kB/s to 100 GB/s, 0.1 mW to 500 W, latencies up to 1 s, energy and
/// speed consistent within a factor of 3. One sentence each, beginning with the JSON path.
[[nodiscard]] std::vector<std::string> plausibilityWarnings(const DeviceProfile& profile);

/// A quantity of a profile by its path, such as "operating_points[64MHz].active_power" or "stores[sd-a1].read_latency".
struct NamedQuantity {
    std::string path;
    Dimension dimension = Dimension::Ratio;
    const Quantity* quantity = nullptr;
};
/// All quantities of the profile in the order of the file. Pointers live as long as the profile.
[[nodiscard]] std::vector<NamedQuantity> quantities(const DeviceProfile& profile);
/// Calls `change` for every quantity of a profile; used to sample, to plan conservatively and to edit.
void changeQuantities(DeviceProfile& profile, const std::function<void(const std::string& path, Dimension dimension, Quantity& quantity)>& change);

/// True when a larger value makes a plan cost more (powers, times, cycles per operation); false when it makes it cost
/// less (bandwidths, rates, frequency); empty when it only describes (sizes, voltage, endurance).
[[nodiscard]] std::optional<bool> isWorseWhenLarger(Dimension dimension);

}  // namespace poet
