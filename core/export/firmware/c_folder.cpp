// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/firmware/c_folder.h"

#include "core/base/files.h"
#include "core/export/firmware/c_writer.h"
#include "core/export/firmware/packed.h"

#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <system_error>

#include <unistd.h>

namespace poet::firmware {
namespace {

namespace fs = std::filesystem;

constexpr std::array kRuntimeFiles{"poet_types.h",     "poet_runtime.inl", "poet_setup.inl", "poet_interpret.inl", "poet_witness.inl", "poet_straight.inl", "poet_packed.inl",  "poet_kernels.inl", "poet_math.inl",      "poet_loops.inl",
                                   "poet_conv.inl",    "poet_gemm.inl",     "poet_unary.inl",   "poet_binary.inl",    "poet_reduce.inl",
                                   "poet_pool.inl", "poet_volume.inl", "poet_index.inl", "poet_norm.inl",     "poet_move.inl",    "poet_resize.inl",    "poet_recurrent.inl", "poet_gru.inl",
                                   "poet_loss.inl",    "poet_optimizer.inl", "poet_store_ram.inl", "poet_store_file.inl", "poet_store_sd.inl",
                                   "poet_store_nor.inl", "poet_store_fatfs.inl", "poet_store_zephyr.inl"};
constexpr std::int64_t kMostEmbeddedWeights = 256 * 1024;

/// `@REGION_MEMORIES@` and `@REGION_SECTIONS@` of the linker script: a memory for each region behind the first, which lies
/// in RAM; the user fills in where it begins.
std::string withRegions(std::string text, const Program& program)
{
    std::string memories, sections;
    for (std::size_t r = 1; r < program.regions.size(); ++r) {
        const std::string number = std::to_string(r);
        constexpr std::int64_t kGuard = 128;  // behind it, and for its alignment
        memories += "   REGION_" + number + " (rw) : ORIGIN = @REGION_" + number + "@, LENGTH = " + std::to_string(program.regions[r].bytes + kGuard);
        sections += "\n  .region_" + number + " (NOLOAD) : { *(.region_" + number + "*) } > REGION_" + number;
    }
    for (const auto& [mark, value] : {std::pair<std::string, std::string>{"@REGION_MEMORIES@", memories}, {"@REGION_SECTIONS@", sections}})
        for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at))
            text.replace(at, mark.size(), value);
    return text;
}

/// A C string literal; commas would part the fields of the rows.
std::string literal(std::string_view name, bool keepsCommas)
{
    std::string text = "\"";
    for (const char c : name)
        text += c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c == ',' && !keepsCommas ? ';' : c);
    return text + '"';
}

std::string namesHeader(const FolderInput& input)
{
    const Program& p = *input.program;
    const BoundModel& model = *input.model;
    const auto shapeList = [](const Shape& shape) {
        std::string text;
        for (const std::int64_t d : shape)
            text += (text.empty() ? "" : ", ") + std::to_string(d);
        return text;
    };
    const auto text = [](std::string_view name) { return literal(name, true); };
    std::string inputs, outputs, trained;
    int count = 0;
    for (std::size_t i = 0; i < model.inputOf.size(); ++i)
        if (model.inputOf[i] >= 0)
            inputs += "    {" + text(model.inputNames[static_cast<std::size_t>(model.inputOf[i])]) + ", " + std::to_string(p.nodes[i].bytes) + "u},\n";
    for (const auto& [node, name] : model.outputs)
        outputs += "    {" + text(name) + ", \"" + std::to_string(p.nodes[static_cast<std::size_t>(node)].bytes / 4) + "\", " + std::to_string(node) + ", " +
                   std::to_string(p.nodes[static_cast<std::size_t>(node)].bytes) + "u},\n";
    for (const BoundParameter& parameter : model.parameters)
        if (parameter.isTrained && !parameter.isDerived) {
            trained += "    {" + text(parameter.name) + ", \"" + shapeList(parameter.shape) + "\", " + std::to_string(parameter.bytes) + "u, " +
                       std::to_string(parameter.offset) + "u},\n";
            ++count;
        }
    std::string out(kSourceHead);
    out += "typedef struct { const char *name; uint32_t bytes; } poet_input_name;\n"
           "typedef struct { const char *name, *shape; int node; uint32_t bytes; } poet_output_name;\n"
           "typedef struct { const char *name, *shape; uint32_t bytes, gradient; } poet_trained_name;\n";
    out += fill("#define @NAME@_N_OUTPUTS ", input.identifier) + std::to_string(model.outputs.size()) + "\n";
    out += fill("#define @NAME@_N_TRAINED ", input.identifier) + std::to_string(count) + "\n";
    out += "static const poet_input_name input_table[] = {\n" + inputs + "    {\"\", 0u}};\n";
    out += "static const poet_output_name output_table[] = {\n" + outputs + "    {\"\", \"\", -1, 0u}};\n";
    out += "static const poet_trained_name trained_table[] = {\n" + trained + "    {\"\", \"\", 0u, 0u}};\n";
    return out;
}

std::string rowsHeader(const FolderInput& input)
{
    std::string out = std::string(kSourceHead) + "typedef struct { const char *op, *shape; } poet_row_name;\nstatic const poet_row_name row_table[] = {\n";
    for (const auto& [op, shape] : input.rows)
        out += "    {" + literal(op, false) + ", " + literal(shape, false) + "},\n";
    return out + "};\n";
}

std::string cmakeLists(const FolderInput& input, bool hasWeights)
{
    std::string sources = "src/@name@_schedule.c src/@name@_graph.c src/@name@_kernels.c src/@name@_runtime.c src/@name@_setup.c src/@name@_straight.c";
    if (hasWeights)
        sources += " src/@name@_weights.c";
    return fill("# Exported by POET Explorer. SPDX-License-Identifier: Apache-2.0\n"
                "cmake_minimum_required(VERSION 3.16)\nproject(@name@ C)\n"
                "if(NOT CMAKE_BUILD_TYPE)\n  set(CMAKE_BUILD_TYPE Release)\nendif()\n"
                "set(CMAKE_C_STANDARD 99)\nset(CMAKE_C_EXTENSIONS OFF)\n"
                "# Fused multiply-add would give other bytes than the target's.\n"
                "add_compile_options(-ffp-contract=off)\n"
                "add_library(@name@ STATIC " + sources + ")\n"
                "target_include_directories(@name@ PUBLIC src)\n"
                "if(" + std::string(input.hasHostProgram ? "" : "FALSE AND ") + "CMAKE_CURRENT_SOURCE_DIR STREQUAL CMAKE_SOURCE_DIR AND NOT CMAKE_CROSSCOMPILING)\n"
                "  add_executable(step examples/host/main.c)\n"
                "  set_target_properties(step PROPERTIES C_EXTENSIONS ON RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})\n"
                "  target_include_directories(step PRIVATE examples/host)\n"
                "  target_compile_definitions(step PRIVATE POET_WEIGHTS=\"${CMAKE_CURRENT_SOURCE_DIR}/extras/@name@.weights.bin\")\n"
                "  target_link_libraries(step PRIVATE @name@)\n" + std::string(input.rows.empty() ? "" :
                "  add_executable(calibrate examples/host/calibrate.c)\n"
                "  set_target_properties(calibrate PROPERTIES C_EXTENSIONS ON RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})\n"
                "  target_include_directories(calibrate PRIVATE examples/host)\n"
                "  target_compile_definitions(calibrate PRIVATE POET_WEIGHTS=\"${CMAKE_CURRENT_SOURCE_DIR}/extras/@name@.weights.bin\")\n"
                "  target_link_libraries(calibrate PRIVATE @name@)\n") + "endif()\n", input.identifier);
}

/// How a sketch declares the arena, and how it opens the schedule on it.
std::pair<std::string, std::string> sketchArenas(const Program& program)
{
    const std::string aligned = " __attribute__((aligned(@NAME@_ARENA_ALIGN < 8 ? 8 : @NAME@_ARENA_ALIGN)));";
    if (program.regions.empty())
        return {"static uint8_t arena[@NAME@_ARENA_BYTES + 8]" + aligned + "\n", "    @name@_open(&state, arena, sizeof arena, &page_store, params, 0);\n"};
    std::string arenas, pointers, sizes;
    for (std::size_t r = 0; r < program.regions.size(); ++r) {
        const std::string name = "arena_" + std::to_string(r);
        arenas += "static uint8_t " + name + "[@NAME@_REGION_" + std::to_string(r) + "_BYTES + 8]" + aligned + "  // goes into the memory @NAME@_REGION_" +
                  std::to_string(r) + "_NAME: add its section\n";
        pointers += (r == 0 ? "" : ", ") + name;
        sizes += (r == 0 ? "sizeof " : ", sizeof ") + name;
    }
    return {arenas, "    void *const arenas[] = {" + pointers + "};\n    const uint32_t sizes[] = {" + sizes +
                        "};\n    @name@_open(&state, arenas, sizes, &page_store, params, 0);\n"};
}

void addPackageFiles(FolderFiles& files, const FolderInput& input)
{
    const auto add = [&](const std::string& path, std::string_view text) { files[path] = fill(text, input.identifier); };
    add("library.properties", "name=@name@\nversion=1.0.0\nauthor=POET Explorer\nmaintainer=POET Explorer\n"
                              "sentence=A training step planned for little memory.\nparagraph=Exported schedule, interpreter and kernels.\n"
                              "category=Data Processing\nurl=https://example.org\narchitectures=*\nincludes=@name@.h\n");
    add("library.json", "{\n  \"name\": \"@name@\",\n  \"version\": \"1.0.0\",\n  \"description\": \"A training step planned for little memory.\",\n"
                        "  \"license\": \"Apache-2.0\",\n  \"frameworks\": \"*\",\n  \"platforms\": \"*\",\n"
                        "  \"build\": {\"srcDir\": \"src\", \"flags\": \"-ffp-contract=off\"}\n}\n");
    add("zephyr/module.yml", "name: @name@\nbuild:\n  cmake: .\n");
    const auto [arenas, open] = sketchArenas(*input.program);
    add("examples/Train/Train.ino", R"(// One training step after the other; the arena is all the RAM that activations need.
#include <@name@.h>
)" + arenas + R"(static uint64_t params[(@NAME@_PARAM_BYTES + 8) / 8];
static uint64_t own[(@NAME@_OWN_GRAD_BYTES + 8) / 8];
static @name@_state state;
extern poet_store page_store;           // of your board: see src/poet_store_*.inl
extern const void *const inputs[];      // data and target
void setup()
{
    Serial.begin(115200);
    memcpy(params, @name@_weights, @NAME@_PARAM_BYTES);
)" + open + R"(    @name@_train(&state, 0, own, 0, 0.01f);
}
void loop()
{
    float loss = 0.0f;
    const int code = @name@_step_n(&state, inputs, &loss);
    Serial.println(code == POET_OK ? loss : (float)code);
}
)");
    add("README.md", "# @name@\n\nA training step planned by POET Explorer: `src/@name@.h` is the only header to include.\n"
                     "The folder is an Arduino library, a PlatformIO library and a CMake project.\n\n"
                     "    cmake -S . -B build && cmake --build build && build/step FOLDER --output OUT\n\n"
                     "FOLDER holds `manifest.json` and `data.bin` with inputs and targets. See `extras/report.txt` for the plan.\n");
}

}  // namespace

std::string identifierOf(std::string_view name)
{
    std::string result;
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0 && byte < 0x80)
            result += static_cast<char>(std::tolower(byte));
        else if (!result.empty() && result.back() != '_')
            result += '_';
    }
    while (!result.empty() && result.back() == '_')
        result.pop_back();
    if (result.empty() || std::isdigit(static_cast<unsigned char>(result[0])) != 0)
        result = "net_" + result;
    return result.substr(0, 32);
}

Expected<FolderFiles> makeFolder(const FolderInput& input)
{
    for (const BoundCall& call : input.model->nodes)
        if (call.in.size() > 255 || call.gradients.size() > 255 || call.before.size() > 255)
            return fail(ErrorCode::UnsupportedOp, "An operation '" + call.kernel + "' has more than 255 operands; the firmware tables hold no more.");
    FolderFiles files;
    const std::string& name = input.identifier;
    const std::string src = "src/" + name;
    for (const char* file : kRuntimeFiles) {
        POET_TRY(text, readFile(input.runtime / file));
        files["src/" + std::string(file)] = text;
    }
    files[src + ".h"] = headerSource(input);
    files[src + "_config.h"] = configSource(input);
    files[src + "_internal.h"] = internalHeader(input);
    files[src + "_schedule.c"] = scheduleSource(input);
    files[src + "_graph.c"] = graphSource(input);
    files[src + "_kernels.c"] = kernelsSource(input);
    files[src + "_runtime.c"] = runtimeSource(input);
    files[src + "_setup.c"] = setupSource(input);
    files[src + "_straight.c"] = straightSource(input);
    const bool hasWeights = input.model->parameterBytes <= kMostEmbeddedWeights;
    if (hasWeights)
        files[src + "_weights.c"] = weightsSource(input);
    if (input.hasHostProgram)
        files["examples/host/" + name + "_names.h"] = namesHeader(input);
    for (const char* file : {"host_main.c", "host_memory.h", "poet_json.h"}) {
        if (!input.hasHostProgram)
            break;
        POET_TRY(text, readFile(input.runtime / "templates" / file));
        files["examples/host/" + std::string(std::string_view(file) == "host_main.c" ? "main.c" : file)] = fill(text, name);
    }
    if (!input.rows.empty()) {
        POET_TRY(text, readFile(input.runtime / "templates" / "calibrate.c"));
        files["examples/host/calibrate.c"] = fill(text, name);
        files["examples/host/" + name + "_rows.h"] = rowsHeader(input);
    }
    for (const char* file : {"main.c", "startup.c", "semihost.h", "link.ld.in", "board_lm3s.c", "board_sf2.c"}) {
        POET_TRY(text, readFile(input.runtime / "templates" / "qemu" / file));
        files["examples/qemu/" + std::string(file)] = fill(withRegions(text, *input.program), name);
    }
    POET_TRY(license, readFile(input.runtime / "LICENSE"));
    files["LICENSE"] = license;
    files["CMakeLists.txt"] = cmakeLists(input, hasWeights);
    addPackageFiles(files, input);
    files["extras/" + name + ".weights.bin"] = input.parameters;
    files["extras/" + name + ".poet"] = encode(*input.program, true);
    files["extras/" + name + ".schedule.json"] = input.scheduleJson;
    files["extras/" + name + ".buffers.csv"] = input.buffersCsv;
    files["extras/report.txt"] = input.report;
    return files;
}

namespace {

constexpr const char* kFileList = "extras/files.txt";

/// The paths of an earlier export, as its list says; empty when there is none.
std::set<std::string> listedFiles(const fs::path& folder)
{
    std::set<std::string> listed;
    if (const auto text = readFile(folder / kFileList)) {
        std::istringstream lines(*text);
        for (std::string line; std::getline(lines, line);)
            listed.insert(line);
    }
    return listed;
}

/// Moves what the user keeps in an exported folder (sources, build folders) into its successor.
void moveForeignFiles(const fs::path& from, const fs::path& to)
{
    const std::set<std::string> ours = listedFiles(from);
    std::vector<fs::path> foreign;
    std::error_code code;
    for (fs::recursive_directory_iterator it(from, code), end; !code && it != end; it.increment(code)) {
        const fs::path path = it->path().lexically_relative(from);
        if ((it->is_directory() && !it->is_symlink()) || ours.contains(path.generic_string()) || fs::exists(to / path))
            continue;
        foreign.push_back(path);
    }
    for (const fs::path& path : foreign) {
        fs::create_directories((to / path).parent_path(), code);
        fs::rename(from / path, to / path, code);
    }
}

Expected<void> writeAll(const fs::path& folder, const FolderFiles& files)
{
    std::error_code code;
    for (const auto& [path, content] : files) {
        fs::create_directories((folder / path).parent_path(), code);
        if (code)
            return fail(ErrorCode::FileNotFound, "Cannot make the folder '" + (folder / path).parent_path().string() + "': " + code.message() + ".");
        POET_CHECK(writeFile(folder / path, content));
    }
    return {};
}

}  // namespace

Expected<void> writeFolder(const fs::path& folder, const FolderFiles& files)
{
    std::error_code code;
    const bool exists = fs::exists(folder, code);
    if (exists && (!fs::is_directory(folder, code) || (!fs::is_empty(folder, code) && !fs::exists(folder / "extras" / "report.txt", code))))
        return fail(ErrorCode::BadUsage, "'" + folder.string() + "' exists and was not exported by this program.", "Choose another folder.");
    FolderFiles all = files;
    std::string list = std::string(kFileList) + "\n";
    for (const auto& [path, content] : files)
        list += path + "\n";
    all[kFileList] = list;
    const auto beside = [&](const char* suffix) {
        fs::path path = folder.has_filename() ? folder : folder.parent_path();
        path += suffix + std::to_string(::getpid());
        return path;
    };
    const fs::path aside = beside(".part");
    const fs::path before = beside(".old");
    if (const auto written = writeAll(aside, all); !written) {
        fs::remove_all(aside, code);
        return std::unexpected(written.error());
    }
    if (exists) {
        moveForeignFiles(folder, aside);
        fs::rename(folder, before, code);
    }
    fs::rename(aside, folder, code);
    if (code)
        return fail(ErrorCode::FileNotFound, "Cannot put the export into '" + folder.string() + "': " + code.message() + ".");
    fs::remove_all(before, code);
    return {};
}

}  // namespace poet::firmware
