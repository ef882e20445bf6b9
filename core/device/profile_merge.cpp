// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/device/profile_merge.h"

#include <algorithm>

namespace poet {
namespace {

/// What identifies an element of an array of named things; empty for anything else.
std::string keyOf(const JsonTree& item)
{
    const auto text = [&](std::string_view key) {
        const JsonTree* found = item.find(key);
        return found && found->kind == JsonTree::Kind::Text ? found->text : std::string();
    };
    if (const JsonTree* library = item.find("library"); library && !item.find("op"))
        return "rate " + library->text + "/" + text("type") + "/" + text("class");
    for (const std::string_view key : {"use", "id", "name"})
        if (item.find(key) && !item.find("op"))
            return key == "name" ? "name " + text(key) : "store " + text(key);
    return {};
}

bool isQuantity(const JsonTree& tree) { return tree.find("value") || tree.find("unit"); }

bool isNamedArray(const JsonTree& tree)
{
    return tree.kind == JsonTree::Kind::Array && std::ranges::all_of(tree.items, [](const JsonTree& item) { return !keyOf(item).empty(); });
}

JsonTree mergeArrays(const JsonTree& mine, const JsonTree& base)
{
    JsonTree merged = JsonTree::array();
    for (const JsonTree& item : mine.items) {
        const auto same = std::ranges::find(base.items, keyOf(item), keyOf);
        merged.items.push_back(same == base.items.end() ? item : mergeProfiles(item, *same));
    }
    for (const JsonTree& item : base.items)
        if (std::ranges::find(mine.items, keyOf(item), keyOf) == mine.items.end())
            merged.items.push_back(item);
    return merged;
}

}  // namespace

JsonTree mergeProfiles(const JsonTree& mine, const JsonTree& base)
{
    if (isNamedArray(mine) && isNamedArray(base))
        return mergeArrays(mine, base);
    if (mine.kind != JsonTree::Kind::Object || base.kind != JsonTree::Kind::Object || isQuantity(mine) || isQuantity(base))
        return mine;
    JsonTree merged = mine;
    for (const auto& [key, value] : base.fields) {
        const JsonTree* own = mine.find(key);
        merged.set(key, own ? mergeProfiles(*own, value) : value);
    }
    return merged;
}

}  // namespace poet
