// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/training/patterns/pattern.h"

#include <algorithm>
#include <map>
#include <set>

namespace poet::training {

namespace {

/// In the order in which they are tried at an operation; a new pattern is one function and one line.
constexpr Pattern kPatterns[] = {matchGroupNormalization, matchLayerNormalization, matchRmsNormalization, matchGelu,
                                 matchGatedActivation,    matchHardSigmoid,        matchLinear,           matchSoftmax,
                                 matchLogSoftmax,         matchRotaryEmbedding,    matchGroupedQueries};

bool broadcasts(const std::string& type)
{
    constexpr std::string_view kTypes[] = {"Add", "Sub", "Mul", "Div", "Pow", "Max", "Min", "Where", "Equal", "Greater", "Less"};
    return std::ranges::find(kTypes, type) != std::end(kTypes);
}

/// An Expand before an operation that broadcasts by itself repeats nothing: the operation reads the small tensor.
void dropExpands(ForwardGraph& graph)
{
    for (ForwardOp& op : graph.ops) {
        if (!broadcasts(op.type) || op.isWeightArithmetic || op.inputs.size() < 2)
            continue;
        const Shape& result = graph.value(op.outputs[0]).shape;
        for (ValueId& input : op.inputs) {
            const int producer = input == kNoValue ? -1 : graph.value(input).producer;
            if (producer < 0 || graph.ops[at(producer)].type != "Expand" || graph.ops[at(producer)].isWeightArithmetic)
                continue;
            const bool othersFill = std::ranges::any_of(op.inputs, [&](ValueId other) {
                return other != kNoValue && other != input && graph.value(other).shape == result;
            });
            if (othersFill)
                input = graph.ops[at(producer)].inputs[0];
        }
    }
}

/// Removes marked operations, and weight rearrangements that nobody reads any more; value ids stay.
void dropOps(ForwardGraph& graph, std::vector<bool>& isDropped)
{
    std::vector<int> uses(graph.values.size(), 0);
    for (const ValueId output : graph.outputs)
        ++uses[at(output)];
    for (std::size_t op = 0; op < graph.ops.size(); ++op)
        for (const ValueId input : graph.ops[op].inputs)
            uses[at(std::max(input, 0))] += input != kNoValue && !isDropped[op];
    for (std::size_t op = graph.ops.size(); op-- > 0;) {
        const ForwardOp& candidate = graph.ops[op];
        const bool isUnread = std::ranges::none_of(candidate.outputs, [&](ValueId id) { return id != kNoValue && uses[at(id)] > 0; });
        if (isDropped[op] || !candidate.isWeightArithmetic || !isUnread)
            continue;
        isDropped[op] = true;
        for (const ValueId input : candidate.inputs)
            if (input != kNoValue)
                --uses[at(input)];
    }
    std::vector<ForwardOp> kept;
    for (std::size_t op = 0; op < graph.ops.size(); ++op) {
        for (const ValueId output : graph.ops[op].outputs)
            if (output != kNoValue)
                graph.value(output).producer = isDropped[op] ? -1 : static_cast<int>(kept.size());
        if (!isDropped[op])
            kept.push_back(std::move(graph.ops[op]));
    }
    graph.ops = std::move(kept);
}

/// The operation would read what its own pattern takes away.
bool readsCovered(const ForwardGraph& graph, const Match& match, const std::vector<int>& covered)
{
    return std::ranges::any_of(match.inputs, [&](ValueId id) { return std::ranges::find(covered, graph.value(id).producer) != covered.end(); });
}

/// The operation would read one floating-point type and give another, as when the casts of a mixed-precision export do not
/// lead back to the type that they came from.
bool changesType(const ForwardGraph& graph, const Match& match, ValueId result)
{
    return graph.value(match.inputs[0]).type != graph.value(result).type;
}

/// One pass from the last operation to the first, so that the outermost form of a pattern is tried first.
bool rewriteOnce(ForwardGraph& graph, std::map<std::string, int>& counts, std::map<std::string, std::set<ValueId>>& writtenOut)
{
    const auto readers = graph.readers();
    std::vector<bool> isDropped(graph.ops.size(), false);
    bool changed = false;
    for (std::size_t op = graph.ops.size(); op-- > 0;) {
        if (isDropped[op] || graph.ops[op].isWeightArithmetic || graph.ops[op].outputs.size() != 1 || !graph.ops[op].domain.empty())
            continue;
        for (const Pattern pattern : kPatterns) {
            Matcher matcher(graph, readers, static_cast<int>(op));
            auto match = pattern(matcher);
            const bool isFree = std::ranges::none_of(matcher.covered(), [&](int covered) { return isDropped[at(covered)]; });
            if (!match || !isFree || !matcher.isClosed() || readsCovered(graph, *match, matcher.covered()) || changesType(graph, *match, graph.ops[op].outputs[0]))
                continue;
            if (match->type.empty()) {
                writtenOut[match->note].insert(graph.ops[op].outputs[0]);
                break;
            }
            for (const int covered : matcher.covered())
                isDropped[at(covered)] = true;
            ForwardOp& root = graph.ops[op];
            root.type = std::move(match->type);
            root.attributes = std::move(match->attributes);
            root.inputs = std::move(match->inputs);
            if (!match->note.empty())
                ++counts[match->note];
            changed = true;
            break;
        }
    }
    if (changed)
        dropOps(graph, isDropped);
    return changed;
}

}  // namespace

ForwardGraph recognisePatterns(const ForwardGraph& graph, std::vector<Note>& notes)
{
    ForwardGraph result = graph;
    std::map<std::string, int> counts;
    dropExpands(result);
    // A second pass sees what the first one made (a bias after a recognised product).
    std::map<std::string, std::set<ValueId>> writtenOut;
    for (int pass = 0; pass < 3 && rewriteOnce(result, counts, writtenOut); ++pass) {
    }
    for (const auto& [note, count] : counts)
        notes.push_back({NoteKind::Recognised, "%1 recognised (%2 \u00d7).", {note, std::to_string(count)}});
    for (const auto& [note, results] : writtenOut)
        notes.push_back({NoteKind::Recognised, "%1 recognised, written out by the model (%2 \u00d7): a framework keeps what its steps need, so it stays as it is.", {note, std::to_string(results.size())}});
    return result;
}

}  // namespace poet::training
