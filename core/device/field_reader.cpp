// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/device/field_reader.h"

#include <algorithm>
#include <cmath>

namespace poet {
namespace {

bool isYearMonth(std::string_view text)
{
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    return text.size() == 7 && text[4] == '-' && std::ranges::all_of(text.substr(0, 4), isDigit) && isDigit(text[5]) && isDigit(text[6]);
}

/// Fills spread, low, high and the two factors; `factor` turns written numbers into SI.
void readSpread(FieldReader& fields, Quantity& quantity, double factor)
{
    quantity.spread = fields.number("spread");
    const auto low = fields.number("low");
    const auto high = fields.number("high");
    if (quantity.spread && (low || high))
        fields.complain("spread", "stands beside low or high", "Give either the spread or its two ends.");
    if (low.has_value() != high.has_value())
        fields.complain(low ? "high" : "low", "is missing beside its other end");
    if (low && high) {
        quantity.low = *low * factor;
        quantity.high = *high * factor;
        if (!(*quantity.low > 0) || *quantity.low > quantity.value || *quantity.high < quantity.value || !std::isfinite(*quantity.high)) {
            fields.complain("low", "and high must enclose the value, and low must be positive");
            return;
        }
        quantity.lowFactor = *quantity.low / quantity.value;
        quantity.highFactor = *quantity.high / quantity.value;
        return;
    }
    quantity.highFactor = 1 + quantity.spread.value_or(defaultSpread(quantity.origin));
    quantity.lowFactor = 1 / quantity.highFactor;
}

}  // namespace

void ReadState::complain(const std::string& path, const std::string& problem, const std::string& hint)
{
    if (!error)
        error = Error{ErrorCode::BadProfile, where + ": " + path + " " + problem + ".", hint};
}

void ReadState::warn(const std::string& path, const std::string& problem)
{
    warnings.push_back(path + " " + problem + ".");
}

FieldReader::FieldReader(const JsonTree& tree, std::string path, ReadState& state)
    : m_tree(tree), m_path(std::move(path)), m_state(state)
{
    if (tree.kind != JsonTree::Kind::Object)
        m_state.complain(m_path, "must be an object");
}

const JsonTree* FieldReader::member(std::string_view key, bool isRequired)
{
    m_read.emplace(key);
    const JsonTree* found = m_tree.find(key);
    if (!found && isRequired)
        complain(key, "is missing");
    return found;
}

std::string FieldReader::text(std::string_view key, bool isRequired)
{
    const JsonTree* value = member(key, isRequired);
    if (!value)
        return {};
    if (value->kind != JsonTree::Kind::Text)
        complain(key, "must be a text");
    else if (isRequired && value->text.empty())
        complain(key, "must not be empty");
    return value->text;
}

std::optional<bool> FieldReader::flag(std::string_view key)
{
    const JsonTree* value = member(key);
    if (!value)
        return std::nullopt;
    if (value->kind != JsonTree::Kind::Bool)
        complain(key, "must be true or false");
    return value->boolean;
}

std::optional<double> FieldReader::number(std::string_view key, bool isRequired)
{
    const JsonTree* value = member(key, isRequired);
    if (!value)
        return std::nullopt;
    if (value->kind != JsonTree::Kind::Number)
        complain(key, "must be a number");
    else if (!std::isfinite(value->number))
        complain(key, "must be finite");
    else if (value->number < 0)
        complain(key, "must not be negative");
    return value->number;
}

std::optional<std::int64_t> FieldReader::wholeBytes(std::string_view key)
{
    const JsonTree* value = member(key);
    if (!value)
        return std::nullopt;
    double bytes = 0;
    if (value->kind == JsonTree::Kind::Object) {
        const auto asQuantity = quantity(key, Dimension::Size);
        bytes = asQuantity ? asQuantity->value : 0;
    } else {
        bytes = number(key).value_or(0);
    }
    if (std::floor(bytes) != bytes || bytes > 4.6e18) {
        complain(key, "must be a whole number of bytes");
        return std::nullopt;
    }
    return static_cast<std::int64_t>(bytes);
}

std::optional<Quantity> FieldReader::quantity(std::string_view key, Dimension dimension, bool isRequired)
{
    const JsonTree* value = member(key, isRequired);
    if (!value)
        return std::nullopt;
    if (value->kind != JsonTree::Kind::Object) {
        complain(key, "must be a quantity: an object with value, unit and origin",
                 "Write {\"value\": ..., \"unit\": \"" + std::string(siUnit(dimension)) + "\", \"origin\": \"estimated\"}.");
        return std::nullopt;
    }
    FieldReader fields(*value, pathOf(key), m_state);
    Quantity result;
    const auto written = fields.number("value", true);
    result.unit = fields.text("unit", true);
    const auto unit = parseUnit(result.unit);
    if (!result.unit.empty() && !unit)
        fields.complain("unit", "\"" + result.unit + "\" is not a known unit");
    else if (unit && unit->dimension != dimension)
        fields.complain("unit", "\"" + result.unit + "\" is a unit of " + std::string(name(unit->dimension)) + ", not of "
                                    + std::string(name(dimension)) + " (" + std::string(siUnit(dimension)) + ")");
    const double factor = unit ? unit->factor : 1;
    result.value = written.value_or(0) * factor;
    // Sums of sizes must fit 62 bits.
    constexpr double kLargestSize = 1e17;
    if (dimension == Dimension::Size ? result.value > kLargestSize : !std::isfinite(result.value))
        fields.complain("value", dimension == Dimension::Size ? "is too large for a size" : "is too large for its unit");
    const std::string origin = fields.choice("origin", {"measured", "datasheet", "estimated"}, true);
    result.origin = originFromName(origin).value_or(Origin::Estimated);
    result.isVerified = fields.flag("verified").value_or(result.origin == Origin::Measured);
    readSpread(fields, result, factor);
    result.source = fields.text("source");
    result.date = fields.text("date");
    result.note = fields.text("note");
    result.scope = fields.choice("scope", {"chip", "module", "board", "wall"});
    if (!result.date.empty() && !isYearMonth(result.date))
        fields.complain("date", "must be a year and a month such as 2026-11");
    fields.finish();
    return result;
}

const std::vector<JsonTree>& FieldReader::array(std::string_view key)
{
    static const std::vector<JsonTree> empty;
    const JsonTree* value = member(key);
    if (!value)
        return empty;
    if (value->kind != JsonTree::Kind::Array)
        complain(key, "must be an array");
    return value->items;
}

std::string FieldReader::choice(std::string_view key, std::initializer_list<std::string_view> allowed, bool isRequired)
{
    std::string chosen = text(key, isRequired);
    if (!m_tree.find(key) || std::ranges::find(allowed, std::string_view(chosen)) != allowed.end())
        return chosen;
    std::string list;
    for (const std::string_view one : allowed)
        list += (list.empty() ? "" : ", ") + std::string(one);
    complain(key, "\"" + chosen + "\" is none of " + list);
    return {};
}

void FieldReader::complain(std::string_view key, const std::string& problem, const std::string& hint)
{
    m_state.complain(pathOf(key), problem, hint);
}

void FieldReader::finish()
{
    for (const auto& [key, value] : m_tree.fields)
        if (!m_read.contains(key))
            complain(key, "is not a known field");
}

std::string itemPath(std::string_view arrayPath, std::size_t index)
{
    return std::string(arrayPath) + "[" + std::to_string(index) + "]";
}

JsonTree toTree(const Quantity& quantity)
{
    JsonTree tree = JsonTree::object();
    const double factor = parseUnit(quantity.unit).value_or(Unit{}).factor;
    tree.set("value", JsonTree::ofNumber(quantity.value / factor));
    tree.set("unit", JsonTree::ofText(quantity.unit));
    tree.set("origin", JsonTree::ofText(name(quantity.origin)));
    if (quantity.isVerified != (quantity.origin == Origin::Measured))
        tree.set("verified", JsonTree::ofBool(quantity.isVerified));
    if (quantity.spread)
        tree.set("spread", JsonTree::ofNumber(*quantity.spread));
    if (quantity.low && quantity.high) {
        tree.set("low", JsonTree::ofNumber(*quantity.low / factor));
        tree.set("high", JsonTree::ofNumber(*quantity.high / factor));
    }
    for (const auto& [key, text] : {std::pair{"source", &quantity.source}, {"date", &quantity.date}, {"note", &quantity.note}, {"scope", &quantity.scope}})
        if (!text->empty())
            tree.set(key, JsonTree::ofText(*text));
    return tree;
}

}  // namespace poet
