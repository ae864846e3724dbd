#include "lsp/cli/subcommands.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "agent/context/edit_format.h"
#include "agent/models/providers/providers.h"
#include "agent/support/shown_text.h"
#include "edits/formats/parse.h"
#include "lsp/cli/help_texts.h"
#include "lsp/cli/manual.h"
#include "lsp/cli/version.h"

namespace bodkin {

namespace {

// The placeholder of a value in the help; a positional option has its name.
std::string placeholder_of(const CLI::Option& option) {
  static constexpr std::pair<std::string_view, const char*> kPlaceholders[] = {
      {"--root", "FOLDER"},        {"--record", "FILE"},
      {"--open", "FILE"},          {"--path", "FILE"},
      {"--image", "FILE"},         {"--endpoint", "URL"},
      {"--session", "ID"},         {"--api-key-env", "NAME"},
      {"--idle-limit", "SECONDS"}, {"--progress-limit", "SECONDS"},
      {"--print-config", "AGENT"}, {"--mode", "MODE"},
      {"--effort", "EFFORT"}};
  if (option.get_positional()) return "";
  const auto found = std::ranges::find(kPlaceholders, option.get_name(),
                                       &std::pair<std::string_view, const char*>::first);
  return found == std::end(kPlaceholders) ? "NAME" : found->second;
}

// An empty argument is what an unset variable of a script leaves.
CLI::Validator not_empty() {
  return {[](const std::string& given) { return std::string(given.empty() ? "it is empty" : ""); },
          ""};
}

CLI::Validator known_provider() {
  return {[](const std::string& given) {
            const auto known = given.empty() ? Result<void>() : check_provider(given);
            if (known) return std::string();
            return known.error().message.substr(0, known.error().message.size() - 1);  // no stop
          },
          ""};
}

enum Rule : unsigned {
  required = 1,
  filled = 2,     // not empty
  provider = 4,   // a known one
  completed = 8,  // a shell completes `values`; others are refused with better words later
};

struct Option {
  const char* name;  // "--root"; without the hyphens it is positional
  std::variant<bool*, int*, std::string*, std::vector<std::string>*> place;
  const char* help;
  unsigned rules = 0;         // of Rule
  std::string values = {};    // that it takes, "a|b"; empty: any
  std::string excludes = {};  // earlier ones, "--a|b"
};

std::string alternatives(const std::vector<std::string>& values) {
  return fmt::format("{}", fmt::join(values, "|"));
}

// `completes`: the options are for a shell's completions.
void add_options(CLI::App& app, const std::vector<Option>& options, bool completes) {
  for (const Option& each : options) {
    CLI::Option* const option = std::visit(
        [&](auto* place) {
          if constexpr (std::is_same_v<decltype(place), bool*>)
            return app.add_flag(each.name, *place, each.help);
          else
            return app.add_option(each.name, *place, each.help);
        },
        each.place);
    const bool is_list = std::holds_alternative<std::vector<std::string>*>(each.place);
    if (is_list && !option->get_positional()) option->allow_extra_args(false);
    // First: the help leaves out what the first check says.
    if (!each.values.empty() && (completes || !(each.rules & completed)))
      option->check(CLI::IsMember(CLI::detail::split(each.values, '|')));
    if (each.rules & filled) option->check(not_empty());
    if (each.rules & provider) option->check(known_provider());
    option->required(each.rules & required);
    if (!each.excludes.empty())
      for (const std::string& other : CLI::detail::split(each.excludes, '|'))
        option->excludes(other);
  }
}

std::vector<Option> apply_options(ApplyCommand& apply) {
  return {
      {"REPLY", &apply.reply,
       "File with the reply, or the id of a change that bodkin mcp has asked for (default: "
       "standard input)"},
      {"--clipboard", &apply.clipboard, "Read the reply from the clipboard"},
      {"--root", &apply.root,
       "Folder that paths are relative to; nothing outside it is touched (default: .)", filled},
      {"--format", &apply.format, "Format of the edits (default: auto)", completed,
       alternatives(format_names())},
      {"--path", &apply.path, "File to edit, for formats without paths"},
      {"--truncated", &apply.truncated, "Treat the reply as cut off: never report success"},
      {"--dry-run", &apply.dry_run, "Print what would happen; change nothing"},
      {"--diff", &apply.diff, "Print a unified diff; change nothing"},
      {"--why", &apply.why, "Also say why each edit is where it is: prices, the runner-up, lines"},
      {"--json", &apply.json, "Print the result as one JSON object"},
      {"--jsonl", &apply.jsonl,
       "Read cases and print results, one JSON object per line; touch no files"},
  };
}

std::vector<Option> verify_options(VerifyCommand& verify) {
  return {
      {"REPLY", &verify.reply, "The reply's file (default: standard input)"},
      {"--staged", &verify.staged, "Check what is staged in git, in place of a reply", 0, "",
       "REPLY"},
      {"--worktree", &verify.worktree,
       "Check what is changed since the last commit, in place of a reply", 0, "", "--staged|REPLY"},
      {"--root", &verify.root, "Folder that paths are relative to (default: .)", filled},
      {"--server", &verify.servers,
       "Use only this language server, for example clangd (repeatable)"},
      {"--open", &verify.open,
       "A file that is open in an editor, to be checked first (repeatable)"},
      {"--untrusted", &verify.untrusted,
       "Do not trust the folder: nothing runs that its files could start"},
      {"--json", &verify.json, "Print the result as one JSON object"},
      {"--jsonl", &verify.jsonl,
       "Read {\"id\", \"root\", \"reply\", \"open\"} and print results, one JSON object per "
       "line; servers stay warm between lines"},
  };
}

std::vector<Option> ask_options(AskCommand& ask) {
  std::string formats = "auto";
  for (const EditFormat& format : edit_formats()) formats += "|" + std::string(format.name);
  return {
      {"REQUEST", &ask.prompt, "What to change, or a question (-: standard input)"},
      {"FILE", &ask.files,
       "FILE, FILE:LINE or FILE:FIRST-LAST to show the model; it reads others itself"},
      {"--image", &ask.images, "Show the model this image; can be repeated", filled},
      {"--root", &ask.root,
       "Folder that the ask is about (default: the repository around this one)", filled},
      {"--profile", &ask.profile, "How the model works; see bodkin settings --profiles", filled},
      {"--mode", &ask.mode, "Who acts: confirm, auto, human or plan", 0, "confirm|auto|human|plan"},
      {"--format", &ask.format,
       "How the model is taught to write edits; see bodkin.agent.editFormat", filled | completed,
       std::move(formats)},
      {"--effort", &ask.effort,
       "How long the model may think: auto, none, low, medium, high or max", 0,
       "auto|none|low|medium|high|max"},
      {"--provider", &ask.provider, "Use this provider instead of the one in the settings",
       filled | provider},
      {"--endpoint", &ask.endpoint, "Use this base URL instead of the one in the settings", filled},
      {"--model", &ask.model, "Use this model instead of the one in the settings", filled},
      {"--choose", &ask.choose,
       "Choose a model in the terminal first, and keep it in the settings"},
      {"--record", &ask.record,
       "Record the ask to this file for bodkin replay: the request, the files that were read, and "
       "the answers, without secrets",
       filled},
      {"--session", &ask.session,
       "Continue this session (\"last\": the most recent one); see bodkin history", filled},
      {"--plan", &ask.plan, "Make a plan; change nothing", 0, "", "--profile"},
      {"--yes", &ask.yes, "Write the changes without asking, unless a check fails"},
      {"--diff", &ask.diff, "Print a unified diff; write nothing", 0, "", "--yes"},
      {"--json", &ask.json, "Print events, one JSON object per line"},
  };
}

std::vector<Option> history_options(HistoryCommand& history) {
  return {
      {"ACTION", &history.action,
       "list, show, export or clear (default: list; with an ID alone: show)", completed,
       "list|show|export|clear"},
      {"ID", &history.id, "The session to show, to export or to clear, or its proposal"},
      {"--yes", &history.yes, "Clear all of it without asking"},
      {"--json", &history.json, "Print JSON"},
  };
}

std::vector<Option> undo_options(UndoCommand& undo) {
  return {
      {"WHAT", &undo.words,
       "[ID|last] [FILE …]: the id of a proposal or session (default: last), and the files you "
       "mean (default: all)"},
      {"--root", &undo.root,
       "Folder whose last change is meant (default: the repository around this one; with an id the "
       "proposal's)",
       filled},
      {"--diff", &undo.diff, "Print a unified diff; write nothing"},
      {"--json", &undo.json, "Print the result as one JSON object"},
  };
}

std::vector<Option> context_options(ContextCommand& context) {
  return {
      {"PLACE", &context.place, "FILE:LINE or FILE:LINE:COLUMN, counted from 1", required},
      {"--json", &context.json, "Print JSON"},
      {"--root", &context.root,
       "Workspace folder: print the whole prompt, with the declarations used there and the "
       "repository map",
       filled},
      {"--untrusted", &context.untrusted, "Do not trust the workspace: git is not run in it"},
  };
}

std::vector<Option> complete_options(CompleteCommand& complete) {
  return {
      {"--provider", &complete.provider, "Provider (default: from the settings, else auto)",
       provider},
      {"--endpoint", &complete.endpoint, "Base URL"},
      {"--model", &complete.model, "Model name"},
      {"--image", &complete.images, "Image to attach to the last message (repeatable)"},
      {"--api-key-env", &complete.api_key_env,
       "Name of the environment variable that holds the API key"},
      {"--idle-limit", &complete.idle_limit, "Give up after this many seconds without a byte"},
      {"--progress-limit", &complete.progress_limit,
       "Give up after this many seconds of only keep-alives"},
      {"--api-version", &complete.api_version, "Version of the provider's API"},
  };
}

std::vector<Option> check_options(CheckCommand& check) {
  return {
      {"--provider", &check.provider, "Use this provider instead of the one in the settings",
       provider},
      {"--endpoint", &check.endpoint, "Use this base URL instead of the one in the settings"},
      {"--model", &check.model, "Use this model instead of the one in the settings"},
  };
}

}  // namespace

void name_values(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    // The description lists the possible values.
    if (!values_of(*option).empty()) option->get_validator(0)->description("");
    if (option->get_type_name() == "TEXT" || option->get_type_name() == "INT")
      option->type_name(placeholder_of(*option));
  }
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    name_values(*command);
}

void fold_help(CLI::App& app) {
  if (const auto given = app.get_subcommands(); !given.empty()) return fold_help(*given[0]);
  constexpr size_t kWidth = 48, kLeft = 30;
  app.get_formatter()->column_width(kLeft);
  for (CLI::Option* option : app.get_options())
    option->description(wrapped(option->get_description(), kWidth, 0));
  name_values(app);
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    command->description(wrapped(command->get_description(), kWidth, 0));
}

// Decides: the options of the command line.
void declare_options(CLI::App& app, ParsedOptions& line, std::string_view only) {
  app.set_version_flag("--version", std::string("bodkin " BODKIN_VERSION) + kCommit);
  app.require_subcommand(0, 1);
  app.add_flag("--stdio", line.stdio,
               "Speak LSP on standard input and output (the default for an editor)");
  app.add_subcommand(
      "lsp", "Run the language server on standard input and output (the default for an editor)");
  // Declaring all options takes a tenth of a start: only those that are needed are.
  const auto add = [&](const char* name, const char* description, const char* footer,
                       const auto& options) {
    CLI::App* const command = app.add_subcommand(name, description);
    if (!only.empty() && only != name) return;
    command->footer(footer);
    add_options(*command, options(), only.empty());
  };
  add("acp", "Run as an agent for editors that speak the Agent Client Protocol", kAcpFooter,
      [] { return std::vector<Option>(); });
  add("apply", "Apply a model's reply to files", kApplyFooter,
      [&] { return apply_options(line.apply); });
  add("verify", "Check a model's reply with language servers; change nothing", kVerifyFooter,
      [&] { return verify_options(line.verify); });
  add("ask", "Ask the model for a change, here in the terminal", kAskFooter,
      [&] { return ask_options(line.ask); });
  add("mcp", "Offer exact edits to other agents, as an MCP server", kMcpFooter, [&] {
    return std::vector<Option>{
        {"--root", &line.mcp.root, "Serve only this folder (default: what the client has open)",
         filled},
        {"--print-config", &line.mcp.print_config,
         "Print what to paste into the settings of claude, codex, opencode, cline or vscode, and "
         "exit",
         0, "claude|codex|opencode|cline|vscode"}};
  });
  add("replay", "Replay a recorded ask", kReplayFooter, [&] {
    return std::vector<Option>{
        {"RECORDING", &line.replay.recording, "Recording made by bodkin ask --record", required},
        {"--json", &line.replay.json, "Print events, one JSON object per line"}};
  });
  add("history", "Show past asks and their results", kHistoryFooter,
      [&] { return history_options(line.history); });
  add("undo", "Undo a change that was applied", kUndoFooter,
      [&] { return undo_options(line.undo); });
  add("redo", "Reapply a change that was undone", kUndoFooter,
      [&] { return undo_options(line.undo); });
  add("context", "Print what the model is shown for a location", kContextFooter,
      [&] { return context_options(line.context); });
  add("complete", "Send one request to a model", kCompleteFooter,
      [&] { return complete_options(line.complete); });
  add("check", "Print which model would be asked and why, and whether it answers", kCheckFooter,
      [&] { return check_options(line.check); });
  add("trust", "Trust a folder, so that commands may run in it", kTrustFooter, [&] {
    return std::vector<Option>{
        {"FOLDER", &line.trusted, "The folder (default: the repository around this one)", filled}};
  });
  add("settings", "List the language server's settings", kSettingsFooter, [&] {
    return std::vector<Option>{
        {"WORD", &line.settings_word, "Only those whose name contains this, for example model"},
        {"--json", &line.settings_json, "Print JSON"},
        {"--profiles", &line.profiles,
         "List the values of agent.profile: the built-in profiles and your own"}};
  });
  add("completion", "Print a completion script for a shell to source", kCompletionFooter, [&] {
    return std::vector<Option>{
        {"SHELL", &line.shell, "bash, zsh or fish", required, "bash|zsh|fish"}};
  });
  add("manual", "Print a page of the manual, for man -l -", kManualFooter, [&] {
    std::vector<std::string> commands;
    for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; }))
      commands.push_back(one->get_name());
    return std::vector<Option>{{"COMMAND", &line.page,
                                "The command that the page is about (default: all of it)",
                                completed, alternatives(commands)}};
  });
}

}  // namespace bodkin
