// bodkin apply --jsonl: cases on standard input, results on standard output one a line:
//
//   in   {"id", "format": "auto", "files": {"a.py": "…"}, "edit": "…",
//         "options": {"path", "truncated", "selection": {"path", "start_line", "end_line"}}}
//   out  {"id", "ok", "files", "error": null | {"kind", "message"}, "micros", "syntax_micros",
//         "hunks": [{"path", "state", "line", "quality", "error"}]}
//
// `files` holds all files of the case, null for a removed one; lines count from 1; micros exclude
// parsing by the grammars. No disk access. An invalid line gives a result with its error, so that
// the n-th result always belongs to the n-th line.
#include <chrono>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "agent/support/json.h"
#include "grammars/syntax_tree.h"
#include "lsp/apply/apply_reply.h"
#include "lsp/cli/commands.h"

namespace bodkin {
namespace {

using nlohmann::json;

class CaseFiles : public Files {  // the files of one case
 public:
  explicit CaseFiles(const std::map<std::string, Text>& files) : files_(files) {}
  std::optional<Text> read(std::string_view path) const override {
    const auto it = files_.find(std::string(path));
    if (it == files_.end()) return std::nullopt;
    return it->second;
  }
  std::vector<std::string> paths() const override {
    std::vector<std::string> out;
    for (const auto& [path, text] : files_) out.push_back(path);
    return out;
  }

 private:
  const std::map<std::string, Text>& files_;
};

using Clock = std::chrono::steady_clock;

// Measures the time spent in parsers, and in loading a language for the first time.
class TimedSyntax : public Syntax {
 private:
  template <class Function>
  auto timed(Function ask) const {
    const auto begin = Clock::now();
    auto answer = ask();
    spent_ += Clock::now() - begin;
    return answer;
  }

 public:
  Clock::duration spent() const { return spent_; }

  bool knows(std::string_view path) const override {
    return timed([&] { return below_->knows(path); });
  }
  std::optional<std::vector<size_t>> new_errors(std::string_view path, const Text& before,
                                                const Text& after) const override {
    return timed([&] { return below_->new_errors(path, before, after); });
  }
  std::vector<SyntaxBlock> blocks(std::string_view path, const Text& text,
                                  const std::vector<char>* elided) const override {
    return timed([&] { return below_->blocks(path, text, elided); });
  }

 private:
  const std::unique_ptr<Syntax> below_ = make_syntax();
  mutable Clock::duration spent_{};
};

int64_t micros_of(Clock::duration time) {
  return std::chrono::duration_cast<std::chrono::microseconds>(time).count();
}

json result_of_case(const json& input, const TimedSyntax& syntax) {
  std::map<std::string, Text> files;
  for (const auto& [path, text] : input.at("files").items())
    if (!text.is_null()) files[path] = Text(text.get<std::string>());
  const json options = input.value("options", json::object());
  ParseOptions parse;
  const std::string format = input.value("format", "auto");
  if (const auto named = format_named(format)) {
    parse.format = *named;
  } else {
    throw std::invalid_argument("unknown format " + format);
  }
  parse.default_path = options.value("path", "");
  parse.truncated = options.value("truncated", false);
  ApplyOptions apply_options;
  if (const auto it = options.find("selection"); it != options.end() && it->is_object()) {
    apply_options.selection_path = it->value("path", "");
    const size_t start = it->value("start_line", size_t{1}), end = it->value("end_line", size_t{1});
    apply_options.selection = {start > 0 ? start - 1 : 0, end};
  }
  if (parse.default_path.empty() && apply_options.selection_path)
    parse.default_path = *apply_options.selection_path;
  const std::string edit = input.at("edit").is_string() ? input.at("edit").get<std::string>()
                                                        : text_of_json(input.at("edit"));
  const auto begin = Clock::now();
  const auto spent_before = syntax.spent();
  const ApplyReport report = apply_reply(edit, parse, CaseFiles(files), syntax, apply_options);
  const auto all = Clock::now() - begin, in_syntax = syntax.spent() - spent_before;
  json out = json_of(report);
  json after = json::object();
  for (const auto& [path, text] : files) after[path] = text.str();
  for (const ChangedFile& file : report.files) {
    if (file.rename_to || !file.after) after[file.path] = nullptr;
    if (file.after) after[file.last_path()] = file.after->str();
  }
  out["files"] = std::move(after);
  out["micros"] = micros_of(all - in_syntax);
  out["syntax_micros"] = micros_of(in_syntax);
  return out;
}

}  // namespace

int apply_cases() {
  const TimedSyntax syntax;
  std::ios::sync_with_stdio(false);  // nothing else reads standard input
  for (std::string line; std::getline(std::cin, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    json result, id;
    try {
      const auto input = parse_json(line);
      if (!input) throw std::invalid_argument("the line is not valid JSON");
      id = input->value("id", json(nullptr));
      result = result_of_case(*input, syntax);
    } catch (const std::exception& error) {
      result = {{"ok", false},
                {"files", json::object()},
                {"error", {{"kind", "malformed"}, {"message", error.what()}}},
                {"hunks", json::array()}};
    }
    result["id"] = std::move(id);
    const std::string out = text_of_json(result) + "\n";
    std::fwrite(out.data(), 1, out.size(), stdout);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace bodkin
