// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/layout/layout_json.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <exception>

namespace poet {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 4> kColumnNames{"forward", "side", "backward", "accumulate"};

LayoutColumn columnFromName(std::string_view text)
{
    for (std::size_t i = 0; i < kColumnNames.size(); ++i)
        if (kColumnNames[i] == text)
            return static_cast<LayoutColumn>(i);
    throw std::invalid_argument("unknown column \"" + std::string(text) + "\"");
}

void checkFormat(const Json& json, std::string_view format)
{
    if (json.at("format").get<std::string>() != format)
        throw std::invalid_argument("the format is not \"" + std::string(format) + "\"");
    if (json.at("version").get<int>() != 1)
        throw std::invalid_argument("the version is not 1");
}

LayoutPoint pointFrom(const Json& x, const Json& y)
{
    const LayoutPoint point{x.get<double>(), y.get<double>()};
    if (!std::isfinite(point.x) || !std::isfinite(point.y))
        throw std::invalid_argument("a position is not finite");
    return point;
}

}  // namespace

std::string toJson(const GraphView& view)
{
    Json nodes = Json::array();
    for (const GraphViewNode& node : view.nodes)
        nodes.push_back({{"width", node.width},
                         {"height", node.height},
                         {"row", node.row},
                         {"column", kColumnNames[static_cast<std::size_t>(node.column)]},
                         {"pair", node.pair}});
    Json edges = Json::array();
    for (const auto& [from, to] : view.edges)
        edges.push_back(Json::array({from, to}));
    return Json{{"format", "poet-layout-graph"}, {"version", 1}, {"nodes", std::move(nodes)}, {"edges", std::move(edges)}}.dump();
}

Expected<GraphView> parseGraphView(std::string_view text, std::string_view where)
{
    GraphView view;
    try {
        const Json json = Json::parse(text);
        checkFormat(json, "poet-layout-graph");
        for (const Json& item : json.at("nodes"))
            view.nodes.push_back({item.at("width").get<double>(), item.at("height").get<double>(), item.at("row").get<int>(),
                                  columnFromName(item.at("column").get<std::string>()), item.at("pair").get<int>()});
        for (const Json& item : json.at("edges")) {
            if (item.size() != 2)
                throw std::invalid_argument("an edge is not a pair of indices");
            view.edges.emplace_back(item.at(0).get<int>(), item.at(1).get<int>());
        }
    } catch (const std::exception& error) {
        return fail(ErrorCode::BadModel, std::string(where) + " is not a layout graph: " + error.what() + ".",
                    "Send one poet-layout-graph of version 1.");
    }
    POET_CHECK(validate(view));
    return view;
}

std::string toJson(const Layout& layout)
{
    Json centers = Json::array();
    for (const LayoutPoint& point : layout.centers)
        centers.push_back(Json::array({point.x, point.y}));
    Json edges = Json::array();
    for (const auto& points : layout.edges) {
        Json flat = Json::array();
        for (const LayoutPoint& point : points) {
            flat.push_back(point.x);
            flat.push_back(point.y);
        }
        edges.push_back(std::move(flat));
    }
    return Json{{"format", "poet-layout"}, {"version", 1},           {"engine", layout.engine},   {"width", layout.width},
                {"height", layout.height}, {"centers", std::move(centers)}, {"edges", std::move(edges)}}
        .dump();
}

Expected<Layout> parseLayout(std::string_view text, const GraphView& view)
{
    Layout layout;
    try {
        const Json json = Json::parse(text);
        checkFormat(json, "poet-layout");
        layout.engine = json.at("engine").get<std::string>();
        layout.width = json.at("width").get<double>();
        layout.height = json.at("height").get<double>();
        for (const Json& item : json.at("centers"))
            layout.centers.push_back(pointFrom(item.at(0), item.at(1)));
        for (const Json& item : json.at("edges")) {
            std::vector<LayoutPoint> points;
            for (std::size_t i = 0; i + 1 < item.size(); i += 2)
                points.push_back(pointFrom(item[i], item[i + 1]));
            if (points.size() != 2 && (points.size() < 4 || points.size() % 3 != 1))
                throw std::invalid_argument("an edge is neither a line nor a curve");
            layout.edges.push_back(std::move(points));
        }
        if (layout.centers.size() != view.nodes.size() || layout.edges.size() != view.edges.size())
            throw std::invalid_argument("it is of another graph");
    } catch (const std::exception& error) {
        return fail(ErrorCode::WorkerFailed, std::string("The layout worker's answer cannot be used: ") + error.what() + ".",
                    "The simple layout is shown instead.");
    }
    return layout;
}

}  // namespace poet
