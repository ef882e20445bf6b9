// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/firmware/kernel_spec.h"
#include "core/export/firmware/narrow.h"

namespace poet::firmware {
namespace {

/// Attributes of poet_recurrent.inl. Only the default activations have kernels.
Expected<KernelSpec> recurrent(const OpContext& c)
{
    const Shape& x = c.in(0);
    const bool isLstm = c.op.type == "LSTM", isGru = c.op.type == "GRU";
    const std::int64_t hidden = c.op.intAttribute("hidden_size", 0), batchFirst = c.op.intAttribute("layout", 0);
    const std::int64_t directions = c.in(1)[0], gates = isLstm ? 4 : isGru ? 3 : 1;
    if (x.size() != 3 || c.has(4) || c.has(7) || c.op.has("clip") || c.op.intAttribute("input_forget", 0) != 0)
        return noKernel(c, "sequence lengths, peepholes or clipping");
    std::int64_t flag = isGru ? c.op.intAttribute("linear_before_reset", 0) : 0;
    if (const auto found = c.op.attributes.find("activations"); found != c.op.attributes.end()) {
        const auto* names = std::get_if<std::vector<std::string>>(&found->second);
        const bool isRelu = names && !names->empty() && names->front() == "Relu";
        if (isRelu && !isLstm && !isGru)
            flag = 1;
        else if (names && !names->empty() && names->front() != (isLstm || isGru ? "Sigmoid" : "Tanh"))
            return noKernel(c, "activation " + names->front());
    }
    const std::int64_t steps = x[batchFirst != 0 ? 1 : 0], batch = x[batchFirst != 0 ? 0 : 1];
    const std::string kernel = isLstm ? "lstm" : isGru ? "gru" : "rnn";
    KernelSpec spec{.forward = kernel, .backward = kernel + "_grad", .attributes = {}, .inputs = 8};
    spec.attributes = {narrow(steps), narrow(batch), narrow(x[2]), narrow(hidden), narrow(directions),
                       c.op.textAttribute("direction", "forward") == "reverse", narrow(batchFirst), narrow(flag), narrow(gates)};
    if (isLstm)
        spec.sides = {"lstm_gates", "lstm_cells"};
    if (isGru)
        spec.sides = {"gru_gates"};
    const std::int64_t perGate = steps * batch * directions * hidden * kFloatBytes;
    spec.sideWorkBytes = 2 * hidden * kFloatBytes;
    spec.backwardWorkBytes = perGate * (isLstm ? 4 : isGru ? 6 : 1) + 2 * hidden * kFloatBytes;
    return spec;
}

}  // namespace

void addRecurrentBinders(BinderTable& table)
{
    table.insert({{"LSTM", recurrent}, {"GRU", recurrent}, {"RNN", recurrent}});
}

}  // namespace poet::firmware
