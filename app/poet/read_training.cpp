// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "app/poet/read_training.h"

#include "core/onnx/import.h"
#include "core/training/build.h"

#include <filesystem>

namespace poet {

namespace {

Expected<TrainingOptions> trainingOptions(const ModelOptions& options)
{
    TrainingOptions training;
    training.loss = options.loss;
    training.freeze = options.freeze;
    const auto optimizer = optimizerFromName(options.optimizer);
    if (!optimizer)
        return fail(ErrorCode::BadUsage, "There is no optimizer named \"" + options.optimizer + "\".",
                    "Use sgd, sgd-buffered, momentum or adam.");
    training.optimizer = *optimizer;
    const auto keeping = keepingFromName(options.keep);
    if (!keeping)
        return fail(ErrorCode::BadUsage, "\"" + options.keep + "\" is no way to keep tensors for backward.", "Use lean or pytorch.");
    training.keeping = *keeping;
    if (options.type.empty())
        return training;
    for (const ElementType type : {ElementType::F32, ElementType::F16, ElementType::BF16})
        if (name(type) == options.type)
            training.type = type;
    if (!training.type)
        return fail(ErrorCode::BadUsage, "\"" + options.type + "\" is no type to train in.", "Use f32, f16 or bf16.");
    return training;
}

}  // namespace

Expected<TrainingGraph> readTraining(const ModelOptions& options)
{
    POET_TRY(training, trainingOptions(options));
    onnx::ImportOptions import;
    import.dataInputs = options.dataInputs;
    for (const std::string& dim : options.dims) {
        POET_TRY(bound, onnx::parseDim(dim));
        import.dims.insert_or_assign(bound.first, bound.second);
    }
    POET_TRY(forward, onnx::importModel(options.model, import));
    return buildTrainingGraph(std::make_shared<const ForwardGraph>(std::move(forward)), training);
}

Expected<TrainingGraph> readTrainingOf(const PlanSource& source, const std::string& schedulePath)
{
    ModelOptions options;
    const std::filesystem::path model(source.model);
    options.model = (model.is_absolute() ? model : std::filesystem::absolute(schedulePath).parent_path() / model).lexically_normal().string();
    options.dims = source.dims;
    options.dataInputs = source.data;
    options.loss = source.loss.empty() ? options.loss : source.loss;
    options.optimizer = source.optimizer.empty() ? options.optimizer : source.optimizer;
    options.freeze = source.freeze;
    options.type = source.type;
    options.keep = source.keep.empty() ? options.keep : source.keep;
    return readTraining(options);
}

}  // namespace poet
