// bodkin verify: applies a reply to a draft and checks it, without touching a file.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "agent/checkers/checkers.h"
#include "agent/checkers/server_choice.h"
#include "agent/support/json.h"
#include "agent/support/program.h"
#include "agent/support/read_file.h"
#include "agent/support/shown_text.h"
#include "agent/support/wire_json.h"
#include "edits/apply/explain.h"
#include "grammars/syntax_tree.h"
#include "lsp/apply/apply_reply.h"
#include "lsp/apply/folder_changes.h"
#include "lsp/cli/commands.h"
#include "lsp/cli/print_refusal.h"
#include "lsp/server/ending_signals.h"
#include "lsp/sessions/check_json.h"
#include "lsp/workspace/ask_settings.h"
#include "lsp/workspace/confined_folder.h"

namespace bodkin {
namespace {

using nlohmann::json;

constexpr size_t kMaxReply = 64 << 20;  // bytes

enum VerifyCode { clean = 0, has_problems = 1, not_checked = 2, not_placed = 3, usage_error = 64 };

void report(std::string_view message) {
  const bool is_ended = message.ends_with('\n');
  put(stderr, fmt::format("bodkin verify: {}{}", message, is_ended ? "" : "\n"));
}

struct Verified {
  VerifyCode code = not_checked;
  json object;
  std::optional<ApplyReport> refused;  // of a reply whose edits were not placed
};

Verified refused(VerifyCode code, const std::string& reason) {
  CheckResult nothing;
  nothing.reason = reason;
  json object = json_of(nothing);
  object["ms"] = 0;
  return {code, std::move(object), {}};
}

class Verifying {
 public:
  explicit Verifying(const VerifyCommand& options)
      : options_(options),
        settings_(settings_for(options)),
        checkers_(settings_),
        ending_([this](int) { stop_.request_stop(); }) {}

  Verified verify(const std::string& root, const std::string& reply,
                  const std::vector<std::string>& open);
  // Of those that --server names, one that no server has; empty: none.
  std::string unknown_server() const {
    for (const std::string& name : options_.servers)
      if (!is_server_name(name, settings_.servers)) return name;
    return "";
  }
  bool is_cancelled() const { return stop_.stop_requested(); }

 private:
  static CheckerSettings settings_for(const VerifyCommand& options) {
    lsp::Settings settings;
    settings.set(lsp::Settings::Layer::user_file, lsp::user_settings());
    return lsp::checker_settings(settings, !options.untrusted);
  }

  const VerifyCommand& options_;
  const CheckerSettings settings_;
  Checkers checkers_;
  std::stop_source stop_;
  EndingSignals ending_;  // last: it uses the others
};

Verified Verifying::verify(const std::string& root, const std::string& reply,
                           const std::vector<std::string>& open) {
  const auto began = std::chrono::steady_clock::now();
  const auto folder = ConfinedFolder::open(root);
  if (!folder) return refused(usage_error, folder.error().message);
  never_run_from(folder->path());
  const ApplyReport report =
      apply_reply(reply, ParseOptions(), FolderFiles(*folder), *make_syntax(), {});
  Verified verdict;
  if (!report.ok) {
    verdict =
        refused(not_placed, report.hunks.empty() && report.failure ? with_advice(*report.failure)
                                                                   : explain(report));
    verdict.refused = report;
  } else if (const auto writes = writes_of(report.files, *folder); !writes) {
    verdict = refused(not_placed, writes.error().message);
  } else {
    CheckRequest request{.root = folder->path(), .files = report.files};
    request.servers.insert(options_.servers.begin(), options_.servers.end());
    for (const std::string& file : open) {
      std::error_code error;
      const auto full =
          std::filesystem::weakly_canonical(std::filesystem::path(folder->path()) / file, error);
      request.open.push_back(full.lexically_relative(folder->path()).string());
    }
    checkers_.end_large();
    const CheckResult result = checkers_.check(request, {stop_.get_token(), nullptr});
    verdict.code = result.state == CheckResult::State::clean      ? clean
                   : result.state == CheckResult::State::problems ? has_problems
                                                                  : not_checked;
    verdict.object = json_of(result);
  }
  verdict.object["ms"] = std::chrono::duration_cast<std::chrono::milliseconds>(
                             std::chrono::steady_clock::now() - began)
                             .count();
  return verdict;
}

// As wide as a usual terminal, where it is read there.
std::string in_lines(const std::string& text) { return ::isatty(1) ? wrapped(text, 79, 2) : text; }

void print_for_people(const json& verdict) {
  const std::string state = string_at(verdict, "state");
  std::string by;
  for (const json& name : at(verdict, "by"))
    by += (by.empty() ? "" : ", ") + name.get<std::string>();
  size_t errors = 0;
  for (const json& problem : at(verdict, "new")) {
    if (string_at(problem, "severity") == "error") ++errors;
    put(stdout, fmt::format("{}:{}: {}: {}\n", string_at(problem, "path"), int_at(problem, "line"),
                            string_at(problem, "severity"), string_at(problem, "message")));
  }
  if (state == "not_checked")
    put(stdout, in_lines("? not checked: " + string_at(verdict, "reason")) + "\n");
  else if (by.empty())
    put(stdout, "✓ nothing to check\n");
  else
    put(stdout, fmt::format("{} {}: {} fixed, {} new\n", state == "clean" ? "✓" : "✗", by,
                            at(verdict, "fixed").size(), errors));
}

int verify_lines(Verifying& verifying) {
  for (std::string line; !verifying.is_cancelled() && std::getline(std::cin, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const auto input = parse_json(line);
    Verified verdict;
    if (!input || !input->is_object()) {
      verdict = refused(usage_error, "the line is not a JSON object");
    } else {
      std::vector<std::string> open;
      for (const json& file : at(*input, "open"))
        if (file.is_string()) open.push_back(file.get<std::string>());
      verdict = verifying.verify(string_at(*input, "root"), string_at(*input, "reply"), open);
    }
    verdict.object["id"] = input ? at(*input, "id") : json();
    std::fputs((text_of_json(verdict.object) + "\n").c_str(), stdout);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace

int verify_command(const VerifyCommand& options) {
  Verifying verifying(options);
  if (const std::string name = verifying.unknown_server(); !name.empty()) {
    report(fmt::format("no language server is called {}", name));
    return usage_error;
  }
  if (options.jsonl) return verify_lines(verifying);
  std::string reply;
  if (options.reply.empty() || options.reply == "-") {
    if (::isatty(0)) report("paste the model's reply, then end it with Ctrl-D");
    reply.assign(std::istreambuf_iterator<char>(std::cin), {});
  } else {
    auto bytes = read_file(options.reply, kMaxReply);
    if (!bytes) {
      report(options.reply + " cannot be read");
      return usage_error;
    }
    reply = *std::move(bytes);
  }
  const Verified verdict = verifying.verify(options.root, reply, options.open);
  if (options.json)
    put(stdout, text_of_json(verdict.object) + "\n");
  else if (verdict.refused)
    print_refusal(*verdict.refused, "verify");
  else if (verdict.code == usage_error || verdict.code == not_placed)
    report(string_at(verdict.object, "reason"));
  else
    print_for_people(verdict.object);
  return verdict.code;
}

}  // namespace bodkin
