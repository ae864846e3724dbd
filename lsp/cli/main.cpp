// bodkin: without a subcommand the language server; the subcommands are one file each.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/platform/files.h"
#include "agent/platform/processes.h"
#include "agent/platform/terminal.h"
#include "agent/sandbox/sandbox.h"
#include "agent/support/did_you_mean.h"
#include "agent/support/guarded.h"
#include "agent/support/shown_text.h"
#include "agent/workspace/file_rules.h"
#include "lsp/acp/server.h"
#include "lsp/cli/ask_screen.h"
#include "lsp/cli/conversation.h"
#include "lsp/cli/help_texts.h"
#include "lsp/cli/manual.h"
#include "lsp/cli/print_refusal.h"
#include "lsp/cli/subcommands.h"
#include "lsp/server/serve.h"
#include "lsp/workspace/settings.h"

namespace bodkin {
namespace {

// "--mode takes confirm or auto", if the error is about an option with such values; else as it is.
std::string in_words(const CLI::App& app, const std::string& error) {
  const std::string name = error.substr(0, error.find_first_of(": "));
  const CLI::Option* option = app.get_option_no_throw(name);
  if (!option || values_of(*option).empty()) return error;
  std::string choices;
  for (const std::string& value : values_of(*option))
    choices += (choices.empty() ? "" : "|") + value;
  return name + " takes " + choices_in_words(choices);
}

int usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const auto commands = app.get_subcommands();
  const CLI::App& about = commands.empty() ? app : *commands[0];
  const std::string name = "bodkin" + (commands.empty() ? "" : " " + about.get_name());
  const auto unknown = app.remaining(true);
  const std::string first = unknown.empty() ? "" : unknown[0].substr(0, unknown[0].find('='));
  const bool is_command = commands.empty() && !first.empty() && !first.starts_with('-');
  std::vector<std::string> names;
  if (is_command) {
    for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; }))
      names.push_back(one->get_name());
  } else if (first.starts_with("--")) {
    for (const CLI::Option* option : about.get_options())
      for (const std::string& long_name : option->get_lnames()) names.push_back("--" + long_name);
  }
  say_as(commands.empty() ? "" : about.get_name(),
         fmt::format("{}{}; see {} --help",
                     is_command ? fmt::format("unknown command \"{}\"", first)
                                : in_words(about, error.what()),
                     did_you_mean(first, names), name));
  return 2;
}

// The subcommand whose options are needed. "": any, for those that are about all of them; " ":
// none.
std::string needed_options(const std::vector<const char*>& words) {
  for (const std::string word : std::span(words).subspan(1)) {
    if (!word.starts_with('-')) return word == "manual" || word == "completion" ? "" : word;
  }
  return " ";
}

int run_history(HistoryCommand& history) {
  const auto actions = {"list", "show", "export", "clear"};
  if (history.id.empty() && std::ranges::find(actions, history.action) == actions.end())
    history.id = std::exchange(history.action, "show");
  const bool wants_id = history.action == "show" || history.action == "export";
  if (wants_id ? history.id.empty() : history.action == "list" && !history.id.empty()) {
    say_as("history", fmt::format("{} takes {}; see bodkin history --help", history.action,
                                  wants_id ? "the id of a session" : "no id"));
    return 2;
  }
  return history_command(history);
}

// Runs the subcommand that was given. Nullopt: there was none.
std::optional<int> run_subcommand(CLI::App& app, ParsedOptions& line) {
  if (app.got_subcommand("apply")) return apply_command(line.apply);
  if (app.got_subcommand("verify")) return verify_command(line.verify);
  if (app.got_subcommand("ask")) return ask_command(line.ask);
  if (app.got_subcommand("mcp")) return mcp_command(line.mcp);
  if (app.got_subcommand("acp")) return acp::serve();
  if (app.got_subcommand("replay")) return replay_command(line.replay);
  for (const char* name : {"undo", "redo"}) {
    if (!app.got_subcommand(name)) continue;
    line.undo.redo = name == std::string_view("redo");
    return undo_command(line.undo);
  }
  if (app.got_subcommand("history")) return run_history(line.history);
  if (app.got_subcommand("context")) return context_command(line.context);
  if (app.got_subcommand("settings"))
    return line.profiles ? profiles_command(line.settings_json)
                         : settings_command(line.settings_word, line.settings_json);
  if (app.got_subcommand("completion")) {
    put_bytes(stdout, completion(app, line.shell));
    return 0;
  }
  if (app.got_subcommand("manual")) {
    name_values(app);
    const std::string page = manual_page(app, line.page);
    if (page.empty())
      say_as("manual", fmt::format("unknown command \"{}\"; see bodkin --help", line.page));
    put_bytes(stdout, page);
    return page.empty() ? 2 : 0;
  }
  if (app.got_subcommand("complete")) return complete_command(line.complete);
  if (app.got_subcommand("trust")) return trust_command(line.trusted);
  if (app.got_subcommand("check")) return check_command(line.check);
  return std::nullopt;
}

int run_main(int argc, char** argv) {
  if (int code = 0; run_as_sandbox_launcher(argc, argv, code)) return code;
  const std::vector<std::string> given = os::command_line(argc, argv);
  std::vector<const char*> words;
  for (const std::string& word : given) words.push_back(word.c_str());
  if (argc > 1 && words[1] == std::string_view("version")) words[1] = "--version";
  if (argc > 1 && words[1] == std::string_view("help")) {  // "help ask" is "ask --help"
    words.erase(words.begin() + 1);
    words.push_back("--help");
  }
  CLI::App app{"bodkin: a language server that lets a language model edit code precisely."};
  ParsedOptions line;
  declare_options(app, line, needed_options(words));
  try {
    app.parse(static_cast<int>(words.size()), words.data());
  } catch (const CLI::ParseError& error) {
    const bool is_unknown = app.get_subcommands().empty() && !app.remaining().empty();
    if (error.get_exit_code() != 0 || is_unknown) return usage_error(app, error);
    fold_help(app);
    return app.exit(error);
  }
  assume_encoding(lsp::own_settings().text("files.encoding"));
  if (const auto code = run_subcommand(app, line)) return *code;
  if (!line.stdio && app.get_subcommands().empty() && begins_conversation({})) return converse({});
  if (!line.stdio && os::is_terminal(0)) {
    put(stderr, folded(kFirstSteps, 4));
    return 2;
  }
  return serve();
}

}  // namespace
}  // namespace bodkin

int main(int argc, char** argv) {
  int code = 2;
  bodkin::os::prepare_standard_streams();
  bodkin::keep_memory_reserve();
  bodkin::guarded(
      [&] { code = bodkin::run_main(argc, argv); },
      [](const char* what) { std::fprintf(stderr, "bodkin: fatal error: %s.\n", what); });
  // A pipe that nobody reads any more has ended the program already.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    bodkin::say_as("", fmt::format("not all of the output could be written: {}",
                                   bodkin::os::strerror(errno != 0 ? errno : EIO)));
    if (code == 0) code = 1;
  }
  return code;
}
