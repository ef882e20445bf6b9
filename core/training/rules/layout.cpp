// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/training/rules/rule.h"
#include "core/training/rules/sides.h"

#include <algorithm>

namespace poet::training {

namespace {

void makeView(OpPlan& plan)
{
    plan.treatment = Treatment::View;
    plan.slots[0].kind = SlotGradient::Kind::Alias;
}

/// A transpose that moves only dimensions of size 1 changes no byte.
void transpose(const OpView& view, OpPlan& plan)
{
    const auto perm = view.op.intsAttribute("perm");
    plan.key += " perm=" + listText(perm);
    std::int64_t last = -1;
    for (const std::int64_t axis : perm) {
        if (view.in(0)[static_cast<std::size_t>(axis)] == 1)
            continue;
        if (axis < last)
            return;
        last = axis;
    }
    makeView(plan);
}

/// Whole, in the same order: a slice that runs backwards, or padding that shifts, is a copy.
void sameCountIsView(const OpView& view, OpPlan& plan)
{
    const auto isNegative = [](std::int64_t value) { return value < 0; };
    if (std::ranges::any_of(view.op.intsAttribute("steps"), isNegative) || std::ranges::any_of(view.op.intsAttribute("pads"), isNegative))
        return;
    if (view.inCount(0) == view.outCount())
        makeView(plan);
}

/// One input: the same tensor. Several: each gradient is a slice of the incoming one.
void concat(const OpView& view, OpPlan& plan)
{
    plan.key = "o=" + shapeText(view.out()) + " n=" + std::to_string(view.op.inputs.size()) +
               " axis=" + std::to_string(view.op.intAttribute("axis", 0));
    if (view.op.inputs.size() == 1)
        makeView(plan);
}

void split(const OpView& view, OpPlan& plan)
{
    plan.outputsAreSeparate = true;
    plan.key = "x=" + shapeText(view.in(0)) + " axis=" + std::to_string(view.op.intAttribute("axis", 0));
    if (view.op.outputs.size() == 1)
        makeView(plan);
    else
        makePart(view, plan);
}

/// A stretch of one dimension is a part of the input; every second element, or several dimensions at once, are a copy.
void slice(const OpView& view, OpPlan& plan)
{
    const auto steps = view.op.intsAttribute("steps");
    if (view.op.intsAttribute("axes").size() == 1 && steps.size() == 1 && steps[0] == 1 && view.outCount() > 0)
        makePart(view, plan);
    sameCountIsView(view, plan);
}

void resize(const OpView& view, OpPlan& plan)
{
    const std::string mode = view.op.textAttribute("mode", "nearest");
    const double taps = mode == "cubic" ? 32 : mode == "linear" ? 8 : 1;
    plan.flops = taps * static_cast<double>(view.outCount());
    plan.slots[0].flops = plan.flops;
    plan.key += " mode=" + mode;
}

}  // namespace

void addLayoutRules(RuleTable& table)
{
    using enum OpClass;
    const OpRule rows[] = {
        {"Reshape", Copy, 0, 0, "0:=", nullptr, Treatment::View},
        {"Flatten", Copy, 0, 0, "0:=", nullptr, Treatment::View},
        {"Squeeze", Copy, 0, 0, "0:=", nullptr, Treatment::View},
        {"Unsqueeze", Copy, 0, 0, "0:=", nullptr, Treatment::View},
        {"Transpose", Copy, 0, 0, "0:", transpose},
        {"Expand", Copy, 0, 1, "0:", sameCountIsView},
        {"Tile", Copy, 0, 1, "0:", sameCountIsView},
        {"Concat", Copy, 0, 0, "*:/", concat},
        {"Split", Copy, 0, 0, "0:", split},
        {"Slice", Copy, 0, 0, "0:", slice},
        {"Pad", Copy, 0, 0, "0:", sameCountIsView},
        {"Resize", Copy, 0, 0, "0:", resize},
        {"DepthToSpace", Copy, 0, 0, "0:"},
        {"SpaceToDepth", Copy, 0, 0, "0:"},
        {"CenterCropPad", Copy, 0, 0, "0:"},
        {"Col2Im", Copy, 1, 1, "0:"},
        {"Trilu", Copy, 0, 0, "0:"},
        {"Shape", Copy, 0, 0, ""},
        {"Size", Copy, 0, 0, ""},
        {"ConstantOfShape", Copy, 0, 0, ""},
        {"Range", Copy, 1, 0, ""},
        {"EyeLike", Copy, 0, 0, ""},
    };
    for (const OpRule& row : rows)
        table.emplace(row.op, row);
}

}  // namespace poet::training
