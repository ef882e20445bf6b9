// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/device/device_profile.h"

#include <string>
#include <vector>

namespace poet {

/// A copy of a device profile that is being edited. Shipped profiles are never written: a draft is saved elsewhere.
class DeviceDraft {
public:
    DeviceDraft() = default;
    /// Starts as the profile of that id or file, under the id "ID-edited". Errors: those of ProfileStore::find.
    [[nodiscard]] static Expected<DeviceDraft> copyOf(const std::string& device);

    [[nodiscard]] const DeviceProfile& profile() const { return m_profile; }
    [[nodiscard]] const DeviceProfile& original() const { return m_original; }
    [[nodiscard]] bool isEdited() const { return m_profile != m_original; }
    void setNames(const std::string& id, const std::string& name);
    /// Takes a number of the profile, named as in quantities(), in SI. A written spread stays; the origin becomes an
    /// estimate of the user's. Errors: BadUsage for an unknown path, a negative or infinite value.
    [[nodiscard]] Expected<void> setValue(const std::string& path, double value);
    /// The same as typed: "12 mW", or a bare number in the unit that the profile writes. Errors: BadUsage.
    [[nodiscard]] Expected<void> setText(const std::string& path, const std::string& text);
    /// One number back to that of the original.
    void reset(const std::string& path);
    /// Takes measured rows (CSV or JSON) into the profile; returns what was done, one sentence each.
    /// Errors: FileNotFound, BadProfile.
    [[nodiscard]] Expected<std::vector<std::string>> importRows(const std::string& file);
    /// What looks implausible, one sentence each, or why the profile is no valid one.
    [[nodiscard]] std::vector<std::string> complaints() const;
    /// Writes the profile as class `user`, after reading it back from its own text. Errors: BadProfile when it is not
    /// valid, BadUsage for a place among the shipped profiles, FileNotFound when it cannot be written.
    [[nodiscard]] Expected<void> save(const std::string& file) const;

private:
    [[nodiscard]] DeviceProfile asUser() const;

    DeviceProfile m_original;
    DeviceProfile m_profile;
};

}  // namespace poet
