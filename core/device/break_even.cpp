// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/device/break_even.h"

namespace poet {
namespace {

constexpr double kBytesPerFloat = 4;

/// From the cost of a round trip of one float.
BreakEven fromRoundTrip(const BreakEvenTerms& terms, double joulesPerFloat, double secondsPerFloat)
{
    const auto ratio = [](double transfer, double compute) { return compute > 0 ? transfer / compute : 0; };
    return {ratio(joulesPerFloat, terms.joulesPerFlop),
            ratio(joulesPerFloat + terms.idleWatts * secondsPerFloat, terms.joulesPerFlop + terms.idleWatts * terms.secondsPerFlop),
            ratio(secondsPerFloat, terms.secondsPerFlop)};
}

}  // namespace

BreakEven BreakEvenTerms::at(std::int64_t bytes) const
{
    const Cost in = store.in.cost(bytes);
    const Cost out = store.out.cost(bytes);
    const double floats = static_cast<double>(bytes) / kBytesPerFloat;
    return floats > 0 ? fromRoundTrip(*this, (in.joules + out.joules) / floats, (in.seconds + out.seconds) / floats) : BreakEven{};
}

BreakEven BreakEvenTerms::limit() const
{
    return fromRoundTrip(*this, (store.in.joulesPerByte + store.out.joulesPerByte) * kBytesPerFloat,
                         (store.in.secondsPerByte + store.out.secondsPerByte) * kBytesPerFloat);
}

Expected<BreakEvenTerms> breakEvenTerms(const DeviceProfile& profile, const CostOptions& options)
{
    const DeviceProfile used = options.isConservative ? conservative(profile) : profile;
    POET_TRY(choice, chooseDevice(used, options));
    if (!choice.store || !choice.store->refused.empty())
        return fail(ErrorCode::BadProfile, "Device " + profile.id + " has no page store to compare with.", "Choose another store.");
    // The slope between two sizes, so that a fixed cost per call does not count.
    constexpr double kFlops = 1e9;
    Work small;
    small.flops = kFlops;
    Work large;
    large.flops = 2 * kFlops;
    POET_TRY(smallCost, modelledCost(used, *choice.point, options.library, small, ElementType::F32));
    POET_TRY(largeCost, modelledCost(used, *choice.point, options.library, large, ElementType::F32));
    BreakEvenTerms terms;
    terms.joulesPerFlop = (largeCost.joules - smallCost.joules) / kFlops;
    terms.secondsPerFlop = (largeCost.seconds - smallCost.seconds) / kFlops;
    terms.idleWatts = used.accounting == Accounting::Paper ? 0 : choice.point->idleWatts();
    terms.store = storeTerms(used, *choice.point, *choice.store, choice.transfer);
    return terms;
}

Expected<BreakEven> breakEvenFlopPerFloat(const DeviceProfile& profile, std::int64_t bytes, const CostOptions& options)
{
    POET_TRY(terms, breakEvenTerms(profile, options));
    return terms.at(bytes);
}

}  // namespace poet
