// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/device/json_tree.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace poet {
namespace {

/// Builds the tree while nlohmann-json parses, because its own value type drops repeated keys in silence.
class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
public:
    JsonTree root;
    std::string problem;

    bool null() override { return add({}); }
    bool boolean(bool value) override { return add(JsonTree::ofBool(value)); }
    bool number_integer(number_integer_t value) override { return add(JsonTree::ofNumber(static_cast<double>(value))); }
    bool number_unsigned(number_unsigned_t value) override { return add(JsonTree::ofNumber(static_cast<double>(value))); }
    bool number_float(number_float_t value, const string_t&) override { return add(JsonTree::ofNumber(value)); }
    bool string(string_t& value) override { return add(JsonTree::ofText(value)); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(JsonTree::object()); }
    bool start_array(std::size_t) override { return open(JsonTree::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& value) override
    {
        if (m_open.back().find(value)) {
            problem = "the key \"" + value + "\" stands twice in one object";
            return false;
        }
        m_open.back().fields.emplace_back(value, JsonTree{});
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& exception) override
    {
        problem = exception.what();
        // The library's texts begin with "[json.exception...] ".
        if (const auto end = problem.find("] "); end != std::string::npos)
            problem.erase(0, end + 2);
        return false;
    }

private:
    static constexpr std::size_t kMaxDepth = 64;
    std::vector<JsonTree> m_open;

    bool open(JsonTree value)
    {
        if (m_open.size() == kMaxDepth) {
            problem = "it is nested too deeply";
            return false;
        }
        m_open.push_back(std::move(value));
        return true;
    }
    bool close()
    {
        JsonTree done = std::move(m_open.back());
        m_open.pop_back();
        return add(std::move(done));
    }
    bool add(JsonTree value)
    {
        if (m_open.empty())
            root = std::move(value);
        else if (m_open.back().kind == JsonTree::Kind::Array)
            m_open.back().items.push_back(std::move(value));
        else
            m_open.back().fields.back().second = std::move(value);
        return true;
    }
};

nlohmann::ordered_json toLibrary(const JsonTree& tree)
{
    switch (tree.kind) {
    case JsonTree::Kind::Null: return nullptr;
    case JsonTree::Kind::Bool: return tree.boolean;
    case JsonTree::Kind::Number:
        if (std::abs(tree.number) < 9e15 && std::trunc(tree.number) == tree.number)
            return static_cast<std::int64_t>(tree.number);
        return tree.number;
    case JsonTree::Kind::Text: return tree.text;
    case JsonTree::Kind::Array: {
        auto array = nlohmann::ordered_json::array();
        for (const JsonTree& item : tree.items)
            array.push_back(toLibrary(item));
        return array;
    }
    case JsonTree::Kind::Object: {
        auto object = nlohmann::ordered_json::object();
        for (const auto& [key, value] : tree.fields)
            object[key] = toLibrary(value);
        return object;
    }
    }
    return nullptr;
}

}  // namespace

JsonTree JsonTree::ofText(std::string_view value)
{
    JsonTree tree;
    tree.kind = Kind::Text;
    tree.text = value;
    return tree;
}

JsonTree JsonTree::ofNumber(double value)
{
    JsonTree tree;
    tree.kind = Kind::Number;
    tree.number = value;
    return tree;
}

JsonTree JsonTree::ofBool(bool value)
{
    JsonTree tree;
    tree.kind = Kind::Bool;
    tree.boolean = value;
    return tree;
}

JsonTree JsonTree::array()
{
    JsonTree tree;
    tree.kind = Kind::Array;
    return tree;
}

JsonTree JsonTree::object()
{
    JsonTree tree;
    tree.kind = Kind::Object;
    return tree;
}

const JsonTree* JsonTree::find(std::string_view key) const
{
    const auto found = std::ranges::find(fields, key, [](const auto& field) { return std::string_view(field.first); });
    return found == fields.end() ? nullptr : &found->second;
}

void JsonTree::set(std::string_view key, JsonTree value)
{
    const auto found = std::ranges::find(fields, key, [](const auto& field) { return std::string_view(field.first); });
    if (found == fields.end())
        fields.emplace_back(key, std::move(value));
    else
        found->second = std::move(value);
}

Expected<JsonTree> parseJsonTree(std::string_view json, std::string_view where)
{
    TreeBuilder builder;
    if (nlohmann::json::sax_parse(json, &builder))
        return std::move(builder.root);
    return fail(ErrorCode::BadProfile, std::string(where) + " cannot be read as JSON: " + builder.problem + ".",
                "Correct the file at that place.");
}

std::string toText(const JsonTree& tree)
{
    return toLibrary(tree).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string toLine(const JsonTree& tree)
{
    return toLibrary(tree).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace poet
