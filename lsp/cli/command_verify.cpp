// bodkin verify: applies a reply to a draft and checks it, or checks what git says is changed,
// without touching a file.
//
// More than 350 lines: both are checked and told in the same way.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "agent/checkers/checkers.h"
#include "agent/checkers/server_choice.h"
#include "agent/placing/placing.h"
#include "agent/platform/files.h"
#include "agent/platform/paths.h"
#include "agent/platform/terminal.h"
#include "agent/rpc/transport.h"
#include "agent/support/encoding.h"
#include "agent/support/json.h"
#include "agent/support/program.h"
#include "agent/support/read_file.h"
#include "agent/support/shown_text.h"
#include "agent/support/wire_json.h"
#include "agent/workspace/git_changes.h"
#include "edits/apply/explain.h"
#include "edits/text/line_keys.h"
#include "grammars/syntax_tree.h"
#include "lsp/apply/apply_reply.h"
#include "lsp/apply/folder_changes.h"
#include "lsp/cli/ask_screen.h"
#include "lsp/cli/ask_words.h"
#include "lsp/cli/commands.h"
#include "lsp/cli/diff_in_place.h"
#include "lsp/cli/print_diff.h"
#include "lsp/cli/print_refusal.h"
#include "lsp/folder/change_log.h"
#include "lsp/server/ending_signals.h"
#include "lsp/sessions/verification.h"
#include "lsp/workspace/ask_settings.h"
#include "lsp/workspace/confined_folder.h"
#include "lsp/workspace/trust.h"

namespace bodkin {
namespace {

using nlohmann::json;

constexpr size_t kMaxReply = 64 << 20;  // bytes

enum VerifyCode {
  clean = 0,
  has_problems = 1,
  not_checked = 2,
  usage_error = 2,  // as of all commands: nothing was checked, either
  not_placed = 3,
  interrupted = 130
};

constexpr const char* kInPlace = "the changes are already in place";

void report(std::string_view message) { say_as("verify", message); }

struct Verified {
  VerifyCode code = not_checked;
  json object;
  bool is_refused = false;             // nothing was to be checked
  bool is_in_place = false;            // what is checked is what the files hold already
  bool is_syntax_checked = false;      // of all its files, by bodkin's grammars
  std::optional<ApplyReport> refused;  // of a reply whose edits were not placed
};

Verified refused(VerifyCode code, const std::string& reason) {
  CheckResult nothing;
  nothing.reason = reason;
  json object = json_of(nothing);
  object["ms"] = 0;
  return {code, std::move(object), true};
}

int64_t ms_since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                               began)
      .count();
}

class Verifying {
 public:
  explicit Verifying(const VerifyCommand& options)
      : options_(options),
        user_(lsp::own_settings()),
        settings_(lsp::checker_settings(user_, !options.untrusted)),
        trust_(user_.list("workspace.trusted")),
        checkers_(settings_),
        ending_([this](int) {
          stop_.request_stop();
          input_ends_.up();
        }) {}

  // Adds what comes next on standard input. False: that has ended, or bodkin is about to.
  bool read_more(std::string& text) const;

  Verified verify(const std::string& root, const std::string& reply,
                  const std::vector<std::string>& open);
  // Checks what is staged, or changed in the work tree.
  Verified verify_changes(const std::string& root, GitSide side);
  // An unknown server that --server names; empty if there is none.
  std::string unknown_server() const {
    for (const std::string& name : options_.servers)
      if (!is_server_name(name, settings_.servers)) return name;
    return "";
  }
  bool is_cancelled() const { return stop_.stop_requested(); }

 private:
  struct Changes {
    std::vector<ChangedFile> files;
    std::map<std::string, Text> buffers = {};  // as of CheckRequest
    bool is_there = false;                     // they are in the files already
  };
  Verified check(const ConfinedFolder& folder, Changes changes,
                 const std::vector<std::string>& open);

  const VerifyCommand& options_;
  const lsp::Settings user_;
  const CheckerSettings settings_;
  const lsp::Trust trust_;
  Checkers checkers_;
  std::stop_source stop_;
  rpc::Wake input_ends_;
  EndingSignals ending_;  // last: it uses the others
};

bool Verifying::read_more(std::string& text) const {
  char bytes[1 << 16];
  while (input_ends_.wait_for(0, POLLIN)) {
    const ssize_t count = os::read(0, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text.append(bytes, static_cast<size_t>(count));
    return true;
  }
  return false;
}

Verified Verifying::verify(const std::string& root, const std::string& reply,
                           const std::vector<std::string>& open) {
  const auto began = std::chrono::steady_clock::now();
  const auto folder = ConfinedFolder::open(root);
  if (!folder) return refused(usage_error, folder.error().message);
  never_run_from(folder->path());
  const auto place = [&](const Files& files) {
    return apply_reply(reply, ParseOptions(), files, *make_syntax(), {});
  };
  ApplyReport report = place(FolderFiles(*folder));
  bool is_there = false;  // with its faults, if it is a new file
  std::vector<std::string> passed_over;
  if (!report.ok || report.files.empty()) {
    auto there = diff_in_place(reply, FolderFiles(*folder), passed_over);
    if (!there) passed_over.clear();
    if (!there) there = applied_before(*folder, report, place);
    is_there = there.has_value();
    if (there) report = *std::move(there);
  }
  Verified verdict;
  if (!report.ok) {
    verdict =
        refused(not_placed, report.hunks.empty() && report.failure ? with_advice(*report.failure)
                                                                   : explain(report, false));
    verdict.refused = report;
  } else if (const auto writes = writes_of(report.files, *folder); !writes) {
    verdict = refused(not_placed, writes.error().message);
  } else {
    verdict = check(*folder, {.files = report.files, .is_there = is_there}, open);
    if (report.files.empty() || (is_there && string_at(verdict.object, "reason").empty()))
      verdict.object["reason"] = kInPlace;
    verdict.is_in_place = is_there;
    for (std::string& path : passed_over) path += " is binary";
    if (!passed_over.empty()) verdict.object["passed_over"] = passed_over;
  }
  verdict.object["ms"] = ms_since(began);
  return verdict;
}

Verified Verifying::check(const ConfinedFolder& folder, Changes changes,
                          const std::vector<std::string>& open) {
  const bool is_new_there =
      changes.is_there && std::ranges::any_of(changes.files, [](const ChangedFile& file) {
        return !file.before.has_value();
      });
  CheckRequest request{.root = folder.path(), .files = std::move(changes.files)};
  request.buffers = std::move(changes.buffers);
  request.may_run_folder = trust_.covers(Roots{{"workspace", folder.path()}});
  request.servers.insert(options_.servers.begin(), options_.servers.end());
  for (const std::string& file : open) {
    std::error_code error;
    const auto full = os::weakly_canonical(std::filesystem::path(folder.path()) / file, error);
    request.open.push_back(os::text_of(full.lexically_relative(folder.path())));
  }
  checkers_.end_unneeded();
  CheckResult result = checkers_.check(request, {stop_.get_token(), nullptr});
  if (is_new_there && result.state == CheckResult::State::clean && result.remaining > 0) {
    result.state = CheckResult::State::not_checked;
    result.reason = "the problems of a new file that is there already may be older ones";
  }
  Verified verdict;
  verdict.code = result.state == CheckResult::State::clean      ? clean
                 : result.state == CheckResult::State::problems ? has_problems
                                                                : not_checked;
  verdict.object = json_of(result);
  if (verdict.code == not_checked) {
    const SyntaxCheck syntax = check_syntax(request.files, *make_syntax());
    verdict.is_syntax_checked = syntax.of_all_files && syntax.errors.empty();
  }
  return verdict;
}

Verified Verifying::verify_changes(const std::string& root, GitSide side) {
  const auto began = std::chrono::steady_clock::now();
  const auto folder = ConfinedFolder::open(root);
  if (!folder) return refused(usage_error, folder.error().message);
  never_run_from(folder->path());
  auto found = changes_with_git(folder->path(), side, stop_.get_token());
  if (!found) return refused(not_checked, found.error().message);
  Changes changes{std::move(found->files), std::move(found->unstaged), true};
  Verified verdict;
  if (changes.files.empty()) {
    CheckResult nothing;
    nothing.state = CheckResult::State::clean;
    nothing.reason = side == GitSide::staged ? "nothing is staged" : "nothing is changed";
    if (!found->passed_over.empty()) nothing.reason.clear();
    verdict = {clean, json_of(nothing)};
  } else {
    verdict = check(*folder, std::move(changes), {});
  }
  if (!found->passed_over.empty()) verdict.object["passed_over"] = found->passed_over;
  verdict.object["ms"] = ms_since(began);
  return verdict;
}

// Folds the text to the width of a usual terminal, if it is read there.
std::string in_lines(const std::string& text) {
  return os::is_terminal(1) ? wrapped(text, text_width(1), 2) : text;
}

void print_for_people(const Verified& verified) {
  const json& verdict = verified.object;
  const std::string in_place = verified.is_in_place ? fmt::format(" ({})", kInPlace) : "";
  const std::string state = string_at(verdict, "state"), reason = string_at(verdict, "reason");
  std::string by;
  for (const json& name : at(verdict, "by"))
    by += (by.empty() ? "" : ", ") + name.get<std::string>();
  for (const json& path : at(verdict, "passed_over"))
    put(stdout, fmt::format("- passed over: {}\n", shown_name(path.get<std::string>())));
  size_t errors = 0, warnings = 0;
  for (const json& problem : at(verdict, "new")) {
    ++(string_at(problem, "severity") == "error" ? errors : warnings);
    put(stdout, fmt::format("{}:{}: {}: {}\n", shown_name(string_at(problem, "path")),
                            int_at(problem, "line"), string_at(problem, "severity"),
                            string_at(problem, "message")));
  }
  if (state == "not_checked")
    put(stdout,
        in_lines(not_checked_in_words(verified.is_syntax_checked, reason) + in_place) + "\n");
  else if (by.empty())
    put(stdout, "✓ nothing to check" + (reason.empty() ? "" : ": " + reason) + "\n");
  else if (by == kByTokens)
    put(stdout, "✓ " + by + in_place + "\n");
  else
    put(stdout, fmt::format("{} {}: {}{}{}\n", state == "clean" ? "✓" : "✗", by,
                            counts_in_words(errors, at(verdict, "fixed").size()),
                            warnings > 0 ? ", " + counted(warnings, "new warning") : "", in_place));
}

int verify_lines(Verifying& verifying) {
  std::string input_text, line;
  const auto next_line = [&] {
    size_t end = 0, seen = 0;
    while ((end = input_text.find('\n', seen)) == input_text.npos) {
      seen = input_text.size();
      if (verifying.read_more(input_text)) continue;
      end = input_text.size();
      break;
    }
    if (verifying.is_cancelled() || input_text.empty()) return false;
    line = input_text.substr(0, end);
    input_text.erase(0, end + 1);
    return true;
  };
  while (next_line()) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const auto input = parse_object(line);
    Verified verdict;
    if (!input) {
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
  return verifying.is_cancelled() ? interrupted : 0;
}

}  // namespace

int verify_command(const VerifyCommand& options) {
  Verifying verifying(options);
  if (const std::string name = verifying.unknown_server(); !name.empty()) {
    report(fmt::format("no language server is called {}", name));
    return usage_error;
  }
  if (options.jsonl) return verify_lines(verifying);
  const bool is_watched = !options.json && use_colors(stderr);
  const auto show = [&](auto&& verdict_of) {
    if (is_watched) put(stderr, "checking…");  // a server that starts takes its time
    const Verified verdict = verdict_of();
    if (is_watched) std::fputs("\r\033[K", stderr);
    if (verifying.is_cancelled() && !options.json) return report("cancelled"), interrupted;
    if (options.json)
      put_bytes(stdout, text_of_json(verdict.object) + "\n");
    else if (verdict.refused)
      print_refusal(*verdict.refused, "verify", options.root);
    else if (verdict.is_refused)
      report(string_at(verdict.object, "reason"));
    else
      print_for_people(verdict);
    return verifying.is_cancelled() ? interrupted : verdict.code;
  };
  if (options.staged || options.worktree)
    return show([&] {
      return verifying.verify_changes(options.root == "." ? root_of({}) : options.root,
                                      options.staged ? GitSide::staged : GitSide::worktree);
    });
  std::string reply;
  if (options.reply.empty() || options.reply == "-") {
    if (os::is_terminal(0)) report("paste the model's reply, then end it with Ctrl-D");
    while (verifying.read_more(reply)) continue;
    if (verifying.is_cancelled()) return interrupted;
    if (os::is_terminal(0) && is_cut_by_terminal(reply)) return report(kCutByTerminal), usage_error;
  } else {
    auto bytes = read_file(options.reply, kMaxReply);
    if (!bytes) {
      report(options.reply + " cannot be read");
      return usage_error;
    }
    reply = *std::move(bytes);
  }
  reply = utf8_of_shell(std::move(reply));
  if (!options.json && reply.empty())  // of git, or of a model that has failed
    return report("the reply is empty; bodkin verify --staged takes nothing staged for success"),
           not_placed;
  if (!options.json && is_blank_text(reply)) return report("the reply is empty"), not_placed;
  return show([&] { return verifying.verify(options.root, reply, options.open); });
}

}  // namespace bodkin
