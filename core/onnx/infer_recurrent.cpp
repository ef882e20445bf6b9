// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/infer.h"

namespace poet::onnx {

namespace {

/// LSTM, GRU and RNN: Y is sequence x directions x batch x hidden (layout 0), Y_h and Y_c directions x batch x hidden.
Expected<void> recurrent(InferContext& c)
{
    POET_CHECK(c.needInputs(3));
    const Shape x = c.shape(0);
    const Shape r = c.shape(2);
    if (x.size() != 3 || r.size() != 3)
        return c.broken("its input and weights must have three dimensions");
    c.makeOutput(0);
    const std::int64_t hidden = c.op().intAttribute("hidden_size", r[2]);
    const std::int64_t directions = c.op().textAttribute("direction", "forward") == "bidirectional" ? 2 : 1;
    const bool batchFirst = c.op().intAttribute("layout", 0) != 0;
    const std::int64_t sequence = batchFirst ? x[1] : x[0];
    const std::int64_t batch = batchFirst ? x[0] : x[1];
    if (hidden != r[2])
        return c.broken("its hidden size " + std::to_string(hidden) + " is not that of its weights " + shapeText(r));
    c.op().attributes["hidden_size"] = hidden;
    const Shape state = batchFirst ? Shape{batch, directions, hidden} : Shape{directions, batch, hidden};
    c.set(0, c.type(0), batchFirst ? Shape{batch, sequence, directions, hidden} : Shape{sequence, directions, batch, hidden});
    c.set(1, c.type(0), state);
    c.set(2, c.type(0), state);
    return {};
}

}  // namespace

void addRecurrentRules(InferTable& table)
{
    for (const char* type : {"LSTM", "GRU", "RNN"})
        table.emplace(type, recurrent);
}

}  // namespace poet::onnx
