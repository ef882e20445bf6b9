// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/device/device_profile.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace poet {

/// The profiles and stores of a folder with devices/ID.json and stores/ID.json. Reads files on every call and keeps
/// nothing, so that edited files count at once.
class ProfileStore {
public:
    /// `folder` holds devices/ and stores/; default: the shipped ones.
    ProfileStore();
    explicit ProfileStore(std::filesystem::path folder);

    /// `device` is an id of a shipped profile or the path of a JSON file (it holds a slash or ends in ".json").
    /// Errors: BadProfile, FileNotFound; an unknown id lists similar ones.
    [[nodiscard]] Expected<ReadProfile> find(std::string_view device) const;
    /// Reads a profile from JSON text; paths of measured rows are relative to `folder`.
    [[nodiscard]] Expected<ReadProfile> parse(std::string_view json, std::string_view where, const std::filesystem::path& folder) const;
    /// Ids of the shipped profiles: paper constants first, then alphabetical.
    [[nodiscard]] std::vector<std::string> deviceIds() const;
    /// Ids of the shipped stores, alphabetical.
    [[nodiscard]] std::vector<std::string> storeIds() const;
    /// A shipped store. Errors: BadProfile.
    [[nodiscard]] Expected<StoreProfile> findStore(std::string_view id) const;

private:
    std::filesystem::path m_folder;

    [[nodiscard]] ProfileSources sources(const std::filesystem::path& rowsFolder) const;
    [[nodiscard]] std::vector<std::string> idsIn(const std::filesystem::path& folder) const;
    [[nodiscard]] Expected<std::string> storeText(const std::string& id) const;
};

/// Shorthand for `ProfileStore().find(device)`, without the warnings.
[[nodiscard]] Expected<DeviceProfile> loadDevice(std::string_view device);

}  // namespace poet
