// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "app/poet/infeasible_help.h"

#include "app/poet/plan_options.h"
#include "core/base/files.h"
#include "core/base/printable.h"
#include "core/base/units.h"

#include <algorithm>
#include <sstream>

namespace poet {

namespace {

constexpr std::size_t kMostItems = 8;

std::string quoted(const std::string& word)
{
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./%@";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos)
        return word;
    std::string text = "'";
    for (const char c : word)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

bool isOption(const std::string& word, const std::string& option) { return word == option || word.starts_with(option + "="); }

}  // namespace

std::vector<std::string> ownCommandLine()
{
    std::vector<std::string> words;
    const auto text = readFile("/proc/self/cmdline");
    if (!text)
        return words;
    std::istringstream in(*text);
    for (std::string word; std::getline(in, word, '\0');)
        words.push_back(word);
    return words;
}

namespace {

/// `words` with the value of `option` replaced where it stands, or the option added.
std::vector<std::string> withValue(const std::vector<std::string>& words, const std::string& option, const std::string& value)
{
    std::vector<std::string> result;
    bool isSet = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool isOld = isOption(words[i], option);
        if (!isOld) {
            result.push_back(words[i]);
            continue;
        }
        if (!isSet)
            result.insert(result.end(), {option, value});
        isSet = true;
        i += words[i] == option ? 1 : 0;  // its value stands apart
    }
    if (!isSet)
        result.insert(result.end(), {option, value});
    return result;
}

}  // namespace

std::string commandWith(const std::vector<std::string>& words, const std::string& option, const std::string& value)
{
    std::string text;
    for (const std::string& word : withValue(words, option, value))
        text += (text.empty() ? "" : " ") + quoted(word);
    return text;
}

namespace {

/// The value of an option; empty when it is not among the words.
std::string valueOf(const std::vector<std::string>& words, const std::string& option)
{
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i].starts_with(option + "="))
            return words[i].substr(option.size() + 1);
        if (words[i] == option && i + 1 < words.size())
            return words[i + 1];
    }
    return "";
}

/// A longer time of a step, said as the user did: as a job, a period or a deadline.
std::string commandForDeadline(const std::vector<std::string>& words, double seconds)
{
    const std::string step = formatDouble(seconds) + "s";
    std::vector<std::string> longer = words;
    if (const auto period = parseSeconds(valueOf(words, "--period")); period && *period < seconds) {
        const bool isAlone = valueOf(words, "--deadline").empty() && valueOf(words, "--job").empty();
        if (isAlone)
            return commandWith(words, "--period", step);
        longer = withValue(words, "--period", step);
    }
    const auto steps = stepsOfJob(valueOf(words, "--job"));
    if (!steps)
        return commandWith(longer, "--deadline", step);
    const std::string job = valueOf(words, "--job");
    return commandWith(longer, "--job", job.substr(0, job.rfind(',') + 1) + formatDouble(seconds * *steps) + "s");
}

}  // namespace

void addCommands(InfeasibleReason& why, const std::vector<std::string>& words)
{
    why.commands.clear();
    if (words.empty())
        return;
    if (why.smallestMemoryBytes)
        why.commands.push_back(commandWith(words, "--memory", std::to_string(*why.smallestMemoryBytes)));
    if (why.smallestDeadlineSeconds)
        why.commands.push_back(commandForDeadline(words, *why.smallestDeadlineSeconds));
}

namespace {

/// One line on a limit that would be enough, and on how sure that is; empty when nothing is known.
template <class T, class Format>
std::string smallestText(const std::string& what, const std::optional<T>& smallest, const std::optional<T>& bound, Format format)
{
    if (!smallest && !bound)
        return "";
    const std::string known = smallest ? format(*smallest) + (bound ? ", not proven; " : ", proven") : "not known; ";
    return "  " + what + ": " + known + (bound ? "none below " + format(*bound) : "") + '\n';
}

}  // namespace

std::string infeasibleText(const InfeasibleReason& why)
{
    std::ostringstream out;
    if (!why.inRam.empty()) {
        out << "  in RAM while '" << printable(why.node, false) << "' runs:\n";
        std::int64_t rest = 0;
        for (std::size_t i = 0; i < why.inRam.size(); ++i) {
            if (i < kMostItems)
                out << "    " << formatBytes(why.inRam[i].bytes) << "  " << printable(why.inRam[i].name, false) << '\n';
            else
                rest += why.inRam[i].bytes;
        }
        if (rest > 0)
            out << "    " << formatBytes(rest) << "  in " << why.inRam.size() - kMostItems << " more\n";
    }
    const auto exactBytes = [](std::int64_t bytes) { return formatBytes(bytes) + " (" + std::to_string(bytes) + " B)"; };
    out << smallestText("smallest memory, other limits as they are", why.smallestMemoryBytes, why.memoryBoundBytes, exactBytes)
        << smallestText("smallest deadline, other limits as they are", why.smallestDeadlineSeconds, why.deadlineBoundSeconds, formatSeconds);
    for (const std::string& command : why.commands)
        out << "  try: " << command << '\n';
    return out.str();
}

}  // namespace poet
