// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "examples/networks.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

namespace {

bool write(const std::filesystem::path& path, const onnx::ModelProto& model)
{
    std::ofstream file(path, std::ios::binary);
    return file && model.SerializeToOstream(&file) && file.flush();
}

}  // namespace

/// Writes the example models into the folder given: write_examples FOLDER.
int main(int argc, char** argv)
{
    using namespace poet::examples;
    if (argc != 2) {
        std::cerr << "usage: write_examples FOLDER\n";
        return 2;
    }
    const struct {
        const char* name;
        onnx::ModelProto (*make)();
    } models[] = {{"lenet5", lenet5}, {"resnet18", resnet18},         {"resnet50", resnet50},  {"vgg16", vgg16},
                  {"mobilenet_v2", mobilenetV2}, {"dscnn_kws", dsCnn}, {"bert_base", bertBase}};
    for (const auto& model : models) {
        const auto path = std::filesystem::path(argv[1]) / (std::string(model.name) + ".onnx");
        if (!write(path, model.make())) {
            std::cerr << "write_examples: cannot write " << path << '\n';
            return 1;
        }
    }
    return 0;
}
