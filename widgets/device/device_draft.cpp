// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/device/device_draft.h"

#include "core/base/files.h"
#include "core/device/calibrate.h"
#include "core/device/cost_model.h"
#include "core/device/profile_store.h"
#include "core/device/resource_folder.h"
#include "widgets/device/device_cache.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

namespace poet {

namespace {

const Quantity* find(const DeviceProfile& profile, const std::string& path)
{
    for (const NamedQuantity& named : quantities(profile))
        if (named.path == path)
            return named.quantity;
    return nullptr;
}

/// True for a file in the folder of the shipped resources, however the path is written.
bool isShipped(const std::filesystem::path& file)
{
    std::error_code code;
    const auto shipped = std::filesystem::weakly_canonical(resourceFolder(), code);
    const auto wanted = std::filesystem::weakly_canonical(std::filesystem::absolute(file), code);
    const auto [end, rest] = std::mismatch(shipped.begin(), shipped.end(), wanted.begin(), wanted.end());
    return end == shipped.end();
}

}  // namespace

Expected<DeviceDraft> DeviceDraft::copyOf(const std::string& device)
{
    POET_TRY(profile, knownDevice(QString::fromStdString(device)));
    DeviceDraft draft;
    draft.m_original = *profile;
    if (profile->profileClass != ProfileClass::User)
        draft.m_original.id += "-edited";
    draft.m_profile = draft.m_original;
    return draft;
}

void DeviceDraft::setNames(const std::string& id, const std::string& name)
{
    m_profile.id = id;
    m_profile.name = name;
}

Expected<void> DeviceDraft::setValue(const std::string& path, double value)
{
    if (!std::isfinite(value) || value < 0)
        return fail(ErrorCode::BadUsage, "A number of a device must be zero or more.", "Type a value such as 12 mW.");
    const Quantity* known = find(m_profile, path);
    if (!known)
        return fail(ErrorCode::BadUsage, "The profile has no number '" + path + "'.", "Choose one from the table.");
    if (known->value == value)
        return {};
    changeQuantities(m_profile, [&](const std::string& name, Dimension, Quantity& quantity) {
        if (name != path)
            return;
        // Absolute ends of the spread move with the value, relative ones stay.
        const double ratio = quantity.value > 0 ? value / quantity.value : 1;
        if (quantity.low)
            quantity.low = *quantity.low * ratio;
        if (quantity.high)
            quantity.high = *quantity.high * ratio;
        quantity.value = value;
        quantity.origin = Origin::Estimated;
        quantity.isVerified = false;
        quantity.source = "edited by hand";
        quantity.date.clear();
        if (!quantity.spread && !quantity.low && !quantity.high) {
            quantity.spread = defaultSpread(Origin::Estimated);
            quantity.lowFactor = 1 / (1 + *quantity.spread);
            quantity.highFactor = 1 + *quantity.spread;
        }
    });
    return {};
}

Expected<void> DeviceDraft::setText(const std::string& path, const std::string& text)
{
    const Quantity* known = find(m_profile, path);
    if (!known)
        return fail(ErrorCode::BadUsage, "The profile has no number '" + path + "'.", "Choose one from the table.");
    const auto own = parseUnit(known->unit);
    double number = 0;
    const auto begin = text.find_first_not_of(' ');
    const char* first = text.data() + (begin == std::string::npos ? text.size() : begin);
    const auto [rest, code] = std::from_chars(first, text.data() + text.size(), number);
    if (code != std::errc())
        return fail(ErrorCode::BadUsage, "'" + text + "' is no number.", "Type a value such as 12 " + known->unit + ".");
    std::string unitText(rest, text.data() + text.size());
    std::erase(unitText, ' ');
    const auto unit = unitText.empty() ? own : parseUnit(unitText);
    if (!unit || (own && unit->dimension != own->dimension))
        return fail(ErrorCode::BadUsage, "'" + unitText + "' is no unit of this number.", "It is written in " + known->unit + ".");
    return setValue(path, number * unit->factor);
}

void DeviceDraft::reset(const std::string& path)
{
    const Quantity* old = find(m_original, path);
    if (!old)
        return;
    changeQuantities(m_profile, [&](const std::string& name, Dimension, Quantity& quantity) {
        if (name == path)
            quantity = *old;
    });
}

Expected<std::vector<std::string>> DeviceDraft::importRows(const std::string& file)
{
    POET_TRY(text, readFile(file));
    POET_TRY(rows, parseMeasuredRows(text, file));
    POET_TRY(calibration, calibrate(m_profile, rows, std::filesystem::path(file).filename().string()));
    std::vector<std::string> notes{std::to_string(rows.size()) + " rows read from " + std::filesystem::path(file).filename().string() + "."};
    notes.insert(notes.end(), calibration.notes.begin(), calibration.notes.end());
    const auto foreign = std::find_if(rows.begin(), rows.end(), [&](const MeasuredRow& row) { return !row.device.empty() && !m_profile.id.starts_with(row.device); });
    if (foreign != rows.end())
        notes.push_back("The rows were measured on " + foreign->device + ", the profile is " + m_profile.id + ".");
    const std::string name = m_profile.name;
    m_profile = std::move(calibration.profile);
    m_profile.name = name;
    return notes;
}

DeviceProfile DeviceDraft::asUser() const
{
    DeviceProfile profile = m_profile;
    profile.profileClass = ProfileClass::User;
    return profile;
}

std::vector<std::string> DeviceDraft::complaints() const
{
    const auto read = ProfileStore().parse(toJson(asUser()), m_profile.id, {});
    if (!read)
        return {read.error().text()};
    return read->warnings;
}

Expected<void> DeviceDraft::save(const std::string& file) const
{
    if (isShipped(file))
        return fail(ErrorCode::BadUsage, "'" + file + "' is among the shipped profiles, which stay as they are.", "Save the profile in a folder of your own.");
    const std::string json = toJson(asUser());
    POET_TRY(read, ProfileStore().parse(json, file, std::filesystem::path(file).parent_path()));
    static_cast<void>(read);
    return writeFile(file, json);
}

}  // namespace poet
