#include "agent/tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "agent/diagnostics.h"
#include "agent/edit_json.h"
#include "agent/embedded.h"
#include "agent/process.h"
#include "edits/explain.h"

namespace bodkin {

namespace {

using nlohmann::json;

constexpr size_t kMaxReadLines = 2000;
constexpr size_t kMaxReadBytes = 100'000;
constexpr size_t kMaxListed = 1000;
constexpr size_t kMaxFiles = 100'000;
constexpr size_t kMaxMatches = 50;
constexpr size_t kMaxMatchBytes = 300;  // of a matching line
constexpr size_t kMaxOverlays = 200;    // open or drafted files that are searched one by one
constexpr size_t kMaxEditBytes = 1'000'000;

ToolOutcome failed(std::string content) { return {std::move(content), true, false}; }

std::string string_of(const json& arguments, const char* name) {
  return arguments.contains(name) ? arguments[name].get<std::string>() : std::string();
}

// Models write absolute paths, "./a" and "a/../b": to one spelling, or refused if it leads outside.
Result<std::string> path_in_workspace(std::string_view raw, const std::vector<std::string>& roots) {
  namespace fs = std::filesystem;
  std::string path = fs::path(raw).lexically_normal().generic_string();
  while (path.ends_with('/')) path.pop_back();
  if (fs::path(raw).is_absolute()) {
    for (const std::string& root : roots) {
      const std::string folder = fs::path(root).lexically_normal().generic_string();
      if (path != folder && !path.starts_with(folder + "/")) continue;
      path = path == folder ? "" : path.substr(folder.size() + 1);
      if (roots.size() > 1) {
        path = fs::path(folder).filename().generic_string() + (path.empty() ? "" : "/") + path;
      }
      return path;
    }
  }
  if (path == ".") path.clear();
  if (!path.empty() && !is_plain_path(path)) {
    return fail(Error::Code::invalid_input,
                std::string(raw) + " is outside the workspace: use paths below its folder.");
  }
  return path;
}

std::string with_numbers(const Text& text, size_t begin, size_t end) {
  std::string result;
  for (size_t line = begin; line < end; ++line) {
    result += fmt::format("{}| {}\n", line + 1, text.line(line));
  }
  return result;
}

// "a.cpp does not exist. Similar: src/a.cpp"
std::string missing(const std::string& path, const Error& error, Draft& draft, const Task& task) {
  if (error.code != Error::Code::not_found) return error.message;
  std::string text = path + " does not exist.";
  const std::string name = path.substr(path.rfind('/') + 1);
  auto paths = draft.list("", kMaxFiles, task);
  std::string similar;
  size_t count = 0;
  for (const std::string& other : paths ? *paths : std::vector<std::string>()) {
    if (other.substr(other.rfind('/') + 1) == name && ++count <= 5) similar += " " + other;
  }
  return similar.empty() ? text + " Use list_dir to see what there is."
                         : text + " There is:" + similar;
}

ToolOutcome read_file(ToolBench& bench, const json& arguments, const Task& task) {
  auto path = path_in_workspace(string_of(arguments, "path"), bench.draft.roots(task));
  if (!path) return failed(path.error().message);
  auto file = bench.draft.read(*path, task);
  if (!file) return failed(missing(*path, file.error(), bench.draft, task));
  const Text& text = file->text;
  // A text that ends with a line end has an empty last line: it is none for the reader.
  size_t count = text.line_count();
  if (count > 1 && text.line_begin(count - 1) == text.size()) --count;
  const int64_t from = arguments.value("start_line", int64_t{1});
  const int64_t to = arguments.value("end_line", static_cast<int64_t>(count));
  bench.conversation.seen[*path] = hash_of(text);
  if (text.size() == 0) return {*path + " is empty."};
  if (from < 1 || from > static_cast<int64_t>(count) || to < from) {
    return failed(
        fmt::format("{} has {} lines: ask for lines between 1 and {}.", *path, count, count));
  }
  const size_t begin = from - 1;
  size_t end = std::min<size_t>(to, count);
  end = std::min(end, begin + kMaxReadLines);
  size_t bytes = 0, shown = begin;
  while (shown < end &&
         (bytes += text.line_end(shown) - text.line_begin(shown) + 8) <= kMaxReadBytes) {
    ++shown;
  }
  if (shown == begin) {
    return {fmt::format("Line {} of {} is {} bytes long; its beginning:\n{}", begin + 1, *path,
                        text.line_end(begin) - text.line_begin(begin),
                        text.substr(text.line_begin(begin), kMaxReadBytes / 10))};
  }
  std::string result = fmt::format("{}, lines {}-{} of {}:\n", *path, begin + 1, shown, count) +
                       with_numbers(text, begin, shown);
  if (shown < std::min<size_t>(to, count)) {
    result += fmt::format("(cut; go on with start_line {})\n", shown + 1);
  }
  return {result};
}

ToolOutcome list_dir(ToolBench& bench, const json& arguments, const Task& task) {
  auto path = path_in_workspace(string_of(arguments, "path"), bench.draft.roots(task));
  if (!path) return failed(path.error().message);
  auto paths = bench.draft.list(*path, kMaxListed + 1, task);
  if (!paths) return failed(paths.error().message);
  if (paths->empty()) return {(path->empty() ? "The workspace" : *path) + " has no files."};
  const bool cut = paths->size() > kMaxListed;
  if (cut) paths->resize(kMaxListed);
  std::string result;
  for (const std::string& one : *paths) result += one + "\n";
  if (cut) result += fmt::format("(cut after {}; ask for a folder below)\n", kMaxListed);
  return {result};
}

struct Search {
  std::string query, below, include, exclude;
  bool case_sensitive = true;
};

bool wanted(const Search& search, std::string_view path) {
  if (!search.below.empty() && path != search.below && !path.starts_with(search.below + "/")) {
    return false;
  }
  return (search.include.empty() || glob_matches(search.include, path)) &&
         (search.exclude.empty() || !glob_matches(search.exclude, path));
}

// One run of rg: over a folder, or over a text on its standard input. Its matches by path (the
// given one, for a text), each "line: text".
using Matches = std::map<std::string, std::vector<std::string>>;
Result<void> search_with_rg(const Search& search, const std::string& folder,
                            const std::string& prefix, const Text* text, const std::string& path,
                            Matches& matches, const Task& task) {
  // Above this much a query is too wide to be of use; the rest is not waited for.
  constexpr size_t kMaxOutput = 2'000'000;
  ProcessRequest request;
  request.max_output = kMaxOutput;
  request.arguments = {"rg",
                       "--no-config",
                       "--no-heading",
                       "--with-filename",
                       "--null",
                       "--line-number",
                       "--color=never",
                       "--hidden",
                       "--glob=!.git/",
                       "--no-messages",
                       "--max-columns=2000",
                       search.case_sensitive ? "--case-sensitive" : "--ignore-case"};
  request.arguments.push_back("--regexp=" + search.query);
  request.arguments.push_back("--");
  if (text) {
    request.input = text->str();
    request.arguments.push_back("-");
    if (request.input.empty()) return {};
  } else {
    request.folder = folder;
    request.arguments.push_back(".");
  }
  auto outcome = run_process(request, task.stop);
  if (!outcome) {
    if (outcome.error().code == Error::Code::unavailable) {
      return fail(Error::Code::unavailable,
                  "Searching needs ripgrep (rg), which is not installed here; use list_dir and "
                  "read_file.");
    }
    return std::unexpected(outcome.error());
  }
  if (outcome->exit_code == 2 && outcome->output.empty()) {
    return fail(Error::Code::invalid_input, "rg refused the query: " + outcome->errors);
  }
  const std::string& output = outcome->output;
  for (size_t begin = 0; begin < output.size();) {
    const size_t name_end = output.find('\0', begin);
    if (name_end == std::string::npos) break;
    const size_t end = std::min(output.find('\n', name_end), output.size());
    if (end == output.size() && outcome->cut) break;
    std::string name = output.substr(begin, name_end - begin);
    if (name.starts_with("./")) name.erase(0, 2);
    std::string line = output.substr(name_end + 1, end - name_end - 1);
    if (line.ends_with('\r')) line.pop_back();
    if (line.size() > kMaxMatchBytes) line = line.substr(0, kMaxMatchBytes) + "…";
    const size_t colon = line.find(':');
    if (colon != std::string::npos) line.insert(colon + 1, " ");
    const std::string where = text ? path : prefix + name;
    if (text || wanted(search, where)) matches[where].push_back(std::move(line));
    begin = end + 1;
  }
  return {};
}

ToolOutcome grep_search(ToolBench& bench, const json& arguments, const Task& task) {
  const std::vector<std::string> roots = bench.draft.roots(task);
  auto below = path_in_workspace(string_of(arguments, "path"), roots);
  if (!below) return failed(below.error().message);
  const Search search{string_of(arguments, "query"), *below, string_of(arguments, "include"),
                      string_of(arguments, "exclude"), arguments.value("case_sensitive", true)};
  if (search.query.empty()) return failed("The query is empty.");
  Matches matches;
  for (const std::string& root : roots) {
    const std::string prefix =
        roots.size() > 1 ? std::filesystem::path(root).filename().generic_string() + "/" : "";
    auto done = search_with_rg(search, root, prefix, nullptr, "", matches, task);
    if (!done) return failed(done.error().message);
  }
  // What is open or drafted counts as it is there, not as it is on disk.
  size_t overlays = 0;
  for (const std::string& path : bench.draft.open_paths(task)) {
    matches.erase(path);
    if (!wanted(search, path) || ++overlays > kMaxOverlays) continue;
    auto file = bench.draft.read(path, task);
    if (!file) continue;  // removed by the draft
    auto done = search_with_rg(search, "", "", &file->text, path, matches, task);
    if (!done) return failed(done.error().message);
  }
  std::erase_if(matches, [&](const auto& entry) { return bench.guard.is_private(entry.first); });
  const size_t limit = std::clamp<int64_t>(
      arguments.value("max_matches", static_cast<int64_t>(kMaxMatches)), 1, 1000);
  size_t total = 0;
  std::string result;
  for (const auto& [path, lines] : matches) {
    for (const std::string& line : lines) {
      if (++total <= limit) result += path + ":" + line + "\n";
    }
  }
  if (total == 0) return {"No matches."};
  if (total > limit) {
    result += fmt::format("({} of {} matches; narrow the query or use include)\n", limit, total);
  }
  return {result};
}

ToolOutcome diagnostics(ToolBench& bench, const json& arguments, const Task& task) {
  if (!bench.editor) return failed("No editor is connected: its problems are unknown.");
  auto path = path_in_workspace(string_of(arguments, "path"), bench.draft.roots(task));
  if (!path) return failed(path.error().message);
  if (bench.guard.is_private(*path)) return failed(*path + " is private.");
  auto known = bench.editor->diagnostics(*path, task);
  if (!known) return failed(known.error().message);
  std::string result = fmt::format("State: {}.\n", name_of(known->freshness));
  size_t count = 0;
  for (const Diagnostic& diagnostic : known->list) {
    if (diagnostic.source == "bodkin") continue;
    if (++count <= 100) result += describe(diagnostic) + "\n";
  }
  if (count > 100) result += fmt::format("… and {} more.\n", count - 100);
  if (count == 0) {
    result += known->freshness == Freshness::unknown
                  ? "The editor has reported nothing for this file: that does not mean that it is "
                    "clean.\n"
                  : "No problems.\n";
  }
  const std::vector<DraftFile> drafted = bench.draft.files();
  if (std::ranges::any_of(drafted, [&](const DraftFile& file) { return file.path == *path; })) {
    result += "Your edits of this file are not in it yet.\n";
  }
  return {result};
}

ToolOutcome edit(ToolBench& bench, const json& arguments, const Task& task) {
  auto path = path_in_workspace(string_of(arguments, "path"), bench.draft.roots(task));
  if (!path) return failed(path.error().message);
  if (path->empty()) return failed("The path is empty.");
  if (bench.guard.is_private(*path)) return failed(*path + " is private: it is not edited.");
  const std::string old_text = string_of(arguments, "old_str");
  const std::string new_text = string_of(arguments, "new_str");
  if (old_text.size() + new_text.size() > kMaxEditBytes) return failed("The edit is above 1 MB.");
  const auto file = bench.draft.read(*path, task);
  // What exists but cannot be read (too large, not text) must not look like a file to create.
  if (!file && file.error().code != Error::Code::not_found) return failed(file.error().message);
  FileChange change;
  change.path = *path;
  if (old_text.empty()) {
    if (file && file->text.size() > 0) {
      return failed(*path + " exists: give the text to replace as old_str.");
    }
    change.kind = file ? FileChange::Kind::overwrite : FileChange::Kind::create;
    change.contents = new_text;
  } else {
    if (!file) return failed(missing(*path, file.error(), bench.draft, task));
    const auto seen = bench.conversation.seen.find(*path);
    if (seen == bench.conversation.seen.end()) {
      return failed("Read " + *path + " before you edit it.");
    }
    if (seen->second != hash_of(file->text)) {
      return failed(*path + " has changed since you read it: read it again.");
    }
    if (old_text == new_text) return failed("old_str and new_str are equal: nothing would change.");
    auto read = plan_of_json({{"path", *path},
                              {"old_str", old_text},
                              {"new_str", new_text},
                              {"replace_all", arguments.value("replace_all", false)}},
                             *path);
    if (!read) return failed(read.error().message);
    if (read->changes.size() != 1) return failed("The arguments hold no edit.");
    change = std::move(read->changes[0]);
  }
  const EditPlan plan{{std::move(change)}};
  const WorkspaceFiles files(bench.draft, task);
  ApplyOptions options;
  if (bench.selection) {
    options.selection_path = bench.selection->path;
    options.selection = bench.selection->lines;
  }
  const ApplyReport report = apply(plan, files, bench.syntax, options);
  std::string feedback = explain(report);
  if (!report.ok) {
    if (feedback.empty() && report.failure) feedback = report.failure->message;
    return failed(feedback);
  }
  if (report.files.empty()) {
    return {"Nothing changed: the file already has this text.\n" + feedback};
  }
  bench.draft.take(report);
  std::string result;
  for (const ChangedFile& changed : report.files) {
    if (!changed.after) continue;
    bench.conversation.seen[changed.path] = hash_of(*changed.after);
    result += changed.before ? "Edited " : "Created ";
    result += changed.path;
    if (changed.before) {
      std::string lines;
      for (const Replacement& one : changed.edits) {
        lines +=
            fmt::format("{}{}", lines.empty() ? "" : ", ", changed.before->line_of(one.offset) + 1);
      }
      result += fmt::format(" (at line {})", lines);
    }
    result += ".\n";
    if (bench.syntax && changed.before) {
      for (const size_t line :
           bench.syntax->new_errors(changed.path, *changed.before, *changed.after)) {
        result +=
            fmt::format("New syntax error at line {}: {}\n", line + 1, changed.after->line(line));
      }
    }
  }
  return {result + feedback, false, true};
}

std::string path_title(const char* verb, const json& arguments) {
  return std::string(verb) + " " + string_of(arguments, "path");
}

struct Row {
  std::string_view name;
  ToolOutcome (*run)(ToolBench&, const json&, const Task&);
  std::string (*title)(const json&);
  bool edits = false;
};

constexpr Row kTools[] = {
    {"read_file", read_file, [](const json& a) { return path_title("Reading", a); }},
    {"grep_search", grep_search,
     [](const json& a) { return "Searching for " + string_of(a, "query"); }},
    {"list_dir", list_dir, [](const json& a) { return path_title("Listing", a); }},
    {"diagnostics", diagnostics, [](const json& a) { return path_title("Problems of", a); }},
    {"edit", edit, [](const json& a) { return path_title("Editing", a); }, true},
};

bool fits_type(const std::string& type, json& value) {
  if (type == "string") return value.is_string();
  if (type == "boolean") {
    if (value == "true" || value == "false") value = value == "true";
    return value.is_boolean();
  }
  if (type == "integer") {
    if (value.is_number_float() && value.get<double>() >= 0 && value.get<double>() < 1e15) {
      value = static_cast<int64_t>(value.get<double>());
    }
    if (value.is_string()) {
      const std::string& digits = value.get_ref<const std::string&>();
      if (!digits.empty() && digits.size() < 16 &&
          digits.find_first_not_of("0123456789") == std::string::npos) {
        value = std::stoll(digits);
      }
    }
    // A number above 2^63 is none that a line could have.
    return value.is_number_integer() &&
           (!value.is_number_unsigned() || value.get<uint64_t>() < (uint64_t{1} << 53));
  }
  return true;
}

}  // namespace

uint64_t hash_of(const Text& text) {
  uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (size_t offset = 0; offset < text.size();) {
    const std::string_view chunk = text.chunk_at(offset);
    for (const char c : chunk) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    offset += chunk.size();
  }
  return hash;
}

Result<ToolSpec> load_tool_spec(std::string_view name) {
  for (const EmbeddedText& file : embedded_texts()) {
    if (file.name != "tools/" + std::string(name) + ".md") continue;
    const size_t split = file.text.find("\n---\n");
    if (split == std::string_view::npos) {
      return fail(Error::Code::invalid_input, std::string(file.name) + " has no line \"---\".");
    }
    ToolSpec spec;
    spec.name = name;
    spec.parameters = json::parse(file.text.substr(0, split), nullptr, false);
    if (!spec.parameters.is_object()) {
      return fail(Error::Code::invalid_input, std::string(file.name) + " has no JSON Schema.");
    }
    spec.description = file.text.substr(split + 5);
    while (spec.description.ends_with('\n')) spec.description.pop_back();
    return spec;
  }
  return fail(Error::Code::not_found, "There is no tool \"" + std::string(name) + "\".");
}

std::optional<std::string> mend_arguments(const ToolSpec& spec, json& arguments) {
  if (!arguments.is_object()) return spec.name + ": the arguments must be an object.";
  const json& properties = spec.parameters["properties"];
  for (auto argument = arguments.begin(); argument != arguments.end();) {  // null: not given
    argument = argument->is_null() ? arguments.erase(argument) : std::next(argument);
  }
  if (spec.parameters.contains("required")) {
    for (const std::string name : spec.parameters["required"]) {
      if (!arguments.contains(name)) return spec.name + ": \"" + name + "\" is missing.";
    }
  }
  for (auto& [name, value] : arguments.items()) {
    if (!properties.contains(name)) continue;
    const std::string type = properties[name]["type"];
    if (!fits_type(type, value))
      return spec.name + ": \"" + name + "\" must be of type " + type + ".";
  }
  return std::nullopt;
}

std::vector<Tool> make_tools(std::span<const std::string> names, ToolBench& bench) {
  std::vector<Tool> tools;
  for (const std::string& name : names) {
    auto spec = load_tool_spec(name);
    const auto row = std::ranges::find(kTools, name, &Row::name);
    if (!spec || row == std::end(kTools)) continue;
    tools.push_back({std::move(*spec), row->edits, row->title,
                     [run = row->run, &bench](const json& arguments, const Task& task) {
                       return run(bench, arguments, task);
                     }});
  }
  return tools;
}

}  // namespace bodkin
