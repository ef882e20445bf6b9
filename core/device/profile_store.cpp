// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/device/profile_store.h"

#include "core/base/files.h"
#include "core/device/json_tree.h"
#include "core/device/resource_folder.h"
#include "core/device/store_reader.h"

#include <algorithm>
#include <system_error>

namespace poet {
namespace {

bool isPath(std::string_view device) { return device.find('/') != std::string_view::npos || device.ends_with(".json"); }

/// Ids become file names: nothing that leaves the folder.
bool isId(std::string_view text)
{
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
    }) && !text.starts_with('.');
}

std::string listed(const std::vector<std::string>& ids)
{
    std::string list;
    for (const std::string& id : ids)
        list += (list.empty() ? "" : ", ") + id;
    return list.empty() ? "none" : list;
}

}  // namespace

ProfileStore::ProfileStore() : ProfileStore(resourceFolder()) {}
ProfileStore::ProfileStore(std::filesystem::path folder) : m_folder(std::move(folder)) {}

std::vector<std::string> ProfileStore::idsIn(const std::filesystem::path& folder) const
{
    std::vector<std::string> ids;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
        if (entry.path().extension() == ".json")
            ids.push_back(entry.path().stem().string());
    std::ranges::sort(ids);
    return ids;
}

std::vector<std::string> ProfileStore::deviceIds() const
{
    auto ids = idsIn(m_folder / "devices");
    std::ranges::stable_partition(ids, [](const std::string& id) { return id.starts_with("paper-"); });
    return ids;
}

std::vector<std::string> ProfileStore::storeIds() const { return idsIn(m_folder / "stores"); }

Expected<std::string> ProfileStore::storeText(const std::string& id) const
{
    const std::string hint = "Known stores: " + listed(storeIds()) + ".";
    if (!isId(id))
        return fail(ErrorCode::BadProfile, "\"" + id + "\" is not the id of a store.", hint);
    auto text = readFile(m_folder / "stores" / (id + ".json"));
    if (!text)
        return fail(ErrorCode::BadProfile, "There is no store \"" + id + "\".", hint);
    return text;
}

ProfileSources ProfileStore::sources(const std::filesystem::path& rowsFolder) const
{
    ProfileSources result;
    result.profileText = [this](const std::string& id) -> Expected<std::string> {
        const std::string hint = "Known profiles: " + listed(deviceIds()) + ".";
        if (!isId(id))
            return fail(ErrorCode::BadProfile, "\"" + id + "\" is not the id of a profile.", hint);
        auto text = readFile(m_folder / "devices" / (id + ".json"));
        if (!text)
            return fail(ErrorCode::BadProfile, "There is no profile \"" + id + "\".", hint);
        return text;
    };
    result.storeText = [this](const std::string& id) { return storeText(id); };
    result.rowsText = [rowsFolder](const std::string& path) { return readFile(rowsFolder / path); };
    return result;
}

Expected<ReadProfile> ProfileStore::parse(std::string_view json, std::string_view where, const std::filesystem::path& folder) const
{
    return parseDeviceProfile(json, where, sources(folder));
}

Expected<ReadProfile> ProfileStore::find(std::string_view device) const
{
    if (isPath(device)) {
        const std::filesystem::path path(device);
        POET_TRY(text, readFile(path));
        return parse(text, device, path.parent_path());
    }
    const auto folder = m_folder / "devices";
    const std::string id(device);
    auto text = isId(id) ? readFile(folder / (id + ".json")) : fail(ErrorCode::FileNotFound, "", {});
    if (!text)
        return fail(ErrorCode::BadProfile, "There is no device \"" + id + "\" among the shipped profiles.",
                    "Give one of " + listed(deviceIds()) + ", or the path of a JSON file.");
    return parse(*text, "device " + id, folder);
}

Expected<StoreProfile> ProfileStore::findStore(std::string_view id) const
{
    POET_TRY(text, storeText(std::string(id)));
    const std::string where = "store " + std::string(id);
    POET_TRY(tree, parseJsonTree(text, where));
    ReadState state{where, {}, {}};
    StoreProfile store = readStore(tree, "$", state);
    if (state.error)
        return std::unexpected<Error>(*state.error);
    return store;
}

Expected<DeviceProfile> loadDevice(std::string_view device)
{
    POET_TRY(read, ProfileStore().find(device));
    return std::move(read.profile);
}

}  // namespace poet
