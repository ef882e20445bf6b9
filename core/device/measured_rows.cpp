// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/device/measured_rows.h"

#include "core/device/row_reader.h"

#include <charconv>
#include <cmath>

namespace poet {
namespace {

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view kSpace = " \t\r";
    const auto begin = text.find_first_not_of(kSpace);
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

/// Fields of one line; a field in double quotes may hold commas, "" stands for a quote.
std::vector<std::string> splitCsv(std::string_view line)
{
    std::vector<std::string> fields(1);
    bool isQuoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"' && isQuoted && i + 1 < line.size() && line[i + 1] == '"')
            fields.back() += line[i++];
        else if (line[i] == '"')
            isQuoted = !isQuoted;
        else if (line[i] == ',' && !isQuoted)
            fields.emplace_back();
        else
            fields.back() += line[i];
    }
    for (std::string& field : fields)
        field = trimmed(field);
    return fields;
}

constexpr std::string_view kMetadata[] = {"device", "operating_point", "clock_hz", "library", "date", "instrument"};
constexpr std::string_view kNumbers[] = {"seconds", "joules", "cycles", "count", "seconds_sd", "joules_sd", "flops", "bytes"};

template <std::size_t N>
bool isOneOf(std::string_view text, const std::string_view (&list)[N])
{
    for (const std::string_view one : list)
        if (text == one)
            return true;
    return false;
}

std::optional<double> parseNumber(std::string_view text)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

/// Turns the CSV form into the JSON form, so that both are read by one reader.
class CsvToTree {
public:
    explicit CsvToTree(std::string where) : m_where(std::move(where)) {}

    Expected<JsonTree> convert(std::string_view text)
    {
        int line = 0;
        while (!text.empty()) {
            ++line;
            const auto end = text.find('\n');
            const std::string_view current = trimmed(text.substr(0, end));
            text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
            if (current.empty())
                continue;
            POET_CHECK(current.starts_with('#') ? comment(trimmed(current.substr(1)), line) : m_columns.empty() ? header(current, line) : row(current, line));
        }
        if (m_columns.empty())
            return fail(ErrorCode::BadProfile, m_where + " has no header line.", "It begins with op,type,shape,seconds,joules,cycles,count.");
        JsonTree tree = m_metadata;
        tree.set("rows", std::move(m_rows));
        return tree;
    }

private:
    std::string m_where;
    JsonTree m_metadata = JsonTree::object();
    JsonTree m_rows = JsonTree::array();
    std::vector<std::string> m_columns;

    std::unexpected<Error> problem(int line, const std::string& text) const
    {
        return fail(ErrorCode::BadProfile, m_where + ": line " + std::to_string(line) + " " + text + ".");
    }

    Expected<void> metadata(std::string_view key, std::string_view value, int line)
    {
        if (!isOneOf(key, kMetadata))
            return {};  // an ordinary comment
        if (key == "clock_hz") {
            const auto number = parseNumber(value);
            if (!number || *number <= 0)
                return problem(line, "gives a clock_hz that is no positive number");
            m_metadata.set(key, JsonTree::ofNumber(*number));
        } else {
            m_metadata.set(key, JsonTree::ofText(value));
        }
        return {};
    }

    /// "key: whole rest" or "key=word key=word".
    Expected<void> comment(std::string_view text, int line)
    {
        const auto colon = text.find(':');
        if (colon != std::string_view::npos && isOneOf(trimmed(text.substr(0, colon)), kMetadata))
            return metadata(trimmed(text.substr(0, colon)), trimmed(text.substr(colon + 1)), line);
        while (!text.empty()) {
            const auto space = text.find_first_of(" \t,;");
            const std::string_view word = text.substr(0, space);
            text = space == std::string_view::npos ? std::string_view() : trimmed(text.substr(space + 1));
            if (const auto equals = word.find('='); equals != std::string_view::npos)
                POET_CHECK(metadata(word.substr(0, equals), word.substr(equals + 1), line));
        }
        return {};
    }

    Expected<void> header(std::string_view text, int line)
    {
        m_columns = splitCsv(text);
        for (const std::string& column : m_columns)
            if (!isOneOf(column, kNumbers) && column != "op" && column != "type" && column != "shape" && column != "node" && column != "class")
                return problem(line, "names the unknown column \"" + column + "\"");
        return {};
    }

    Expected<void> row(std::string_view text, int line)
    {
        const auto fields = splitCsv(text);
        if (fields.size() != m_columns.size())
            return problem(line, "has " + std::to_string(fields.size()) + " fields, the header " + std::to_string(m_columns.size()));
        JsonTree tree = JsonTree::object();
        for (std::size_t i = 0; i < fields.size(); ++i) {
            if (fields[i].empty())
                continue;
            if (!isOneOf(m_columns[i], kNumbers)) {
                tree.set(m_columns[i], JsonTree::ofText(fields[i]));
                continue;
            }
            const auto number = parseNumber(fields[i]);
            if (!number || *number < 0)
                return problem(line, "has \"" + fields[i] + "\" in column " + m_columns[i] + ", which is no number >= 0");
            tree.set(m_columns[i], JsonTree::ofNumber(*number));
        }
        if (!tree.find("op"))
            return problem(line, "has no op");
        if (!tree.find("seconds") && !(tree.find("cycles") && m_metadata.find("clock_hz")))
            return problem(line, "has neither seconds nor cycles with a clock_hz above");
        m_rows.items.push_back(std::move(tree));
        return {};
    }
};

}  // namespace

Expected<std::vector<MeasuredRow>> parseMeasuredRows(std::string_view text, std::string_view where)
{
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && (text[first] == '[' || text[first] == '{')) {
        POET_TRY(tree, parseJsonTree(text, where));
        return readRows(tree, "$", std::string(where));
    }
    POET_TRY(tree, CsvToTree(std::string(where)).convert(text));
    return readRows(tree, "$", std::string(where));
}

}  // namespace poet
