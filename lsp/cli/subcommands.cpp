// More than 350 lines: one table.
#include "lsp/cli/subcommands.h"

#include <CLI/CLI.hpp>
#include <string>
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
      {"--print-config", "AGENT"}};
  if (option.get_positional()) return "";
  const auto found = std::ranges::find(kPlaceholders, option.get_name(),
                                       &std::pair<std::string_view, const char*>::first);
  return found == std::end(kPlaceholders) ? "NAME" : found->second;
}

}  // namespace

void name_values(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    // The values that there are stand in the description.
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

// Decides: the options of the command line.
void declare_options(CLI::App& app, ParsedOptions& line, std::string_view only) {
  // nullptr: its options are not needed. Declaring them all takes a tenth of a start.
  const auto command = [&](const char* name, const char* description) -> CLI::App* {
    CLI::App* one = app.add_subcommand(name, description);
    return only.empty() || only == name ? one : nullptr;
  };

  // The values that a shell completes; others are refused with better words later.
  const auto complete_with = [&](CLI::Option* option, const std::vector<std::string>& values) {
    if (only.empty()) option->check(CLI::IsMember(values));
  };

  app.set_version_flag("--version", std::string("bodkin " BODKIN_VERSION) + kCommit);
  app.require_subcommand(0, 1);
  app.add_flag("--stdio", line.stdio,
               "Speak LSP on standard input and output (the default for an editor)");
  app.add_subcommand(
      "lsp", "Run the language server on standard input and output (the default for an editor)");
  if (CLI::App* acp =
          command("acp", "Run as an agent for editors that speak the Agent Client Protocol"))
    acp->footer(kAcpFooter);

  if (CLI::App* apply_app = command("apply", "Apply a model's reply to files")) {
    apply_app->footer(kApplyFooter);
    apply_app->add_option("REPLY", line.apply.reply,
                          "File with the reply, or the id of a change that bodkin mcp has "
                          "asked for (default: standard input)");
    apply_app->add_flag("--clipboard", line.apply.clipboard, "Read the reply from the clipboard");
    apply_app
        ->add_option(
            "--root", line.apply.root,
            "Folder that paths are relative to; nothing outside it is touched (default: .)")
        ->check(not_empty());
    complete_with(
        apply_app->add_option("--format", line.apply.format, "Format of the edits (default: auto)"),
        format_names());
    apply_app->add_option("--path", line.apply.path, "File to edit, for formats without paths");
    apply_app->add_flag("--truncated", line.apply.truncated,
                        "Treat the reply as cut off: never report success");
    apply_app->add_flag("--dry-run", line.apply.dry_run, "Print what would happen; change nothing");
    apply_app->add_flag("--diff", line.apply.diff, "Print a unified diff; change nothing");
    apply_app->add_flag("--why", line.apply.why,
                        "Also say why each edit is where it is: prices, the runner-up, lines");
    apply_app->add_flag("--json", line.apply.json, "Print the result as one JSON object");
    apply_app->add_flag("--jsonl", line.apply.jsonl,
                        "Read cases and print results, one JSON object per line; touch no files");
  }

  if (CLI::App* verify_app =
          command("verify", "Check a model's reply with language servers; change nothing")) {
    verify_app->footer(kVerifyFooter);
    verify_app->add_option("REPLY", line.verify.reply,
                           "The reply's file (default: standard input)");
    verify_app->add_flag("--staged", line.verify.staged,
                         "Check what is staged in git, in place of a reply");
    verify_app
        ->add_flag("--worktree", line.verify.worktree,
                   "Check what is changed since the last commit, in place of a reply")
        ->excludes("--staged");
    for (const char* name : {"--staged", "--worktree"})
      verify_app->get_option(name)->excludes("REPLY");
    verify_app
        ->add_option("--root", line.verify.root, "Folder that paths are relative to (default: .)")
        ->check(not_empty());
    verify_app
        ->add_option("--server", line.verify.servers,
                     "Use only this language server, for example clangd (repeatable)")
        ->allow_extra_args(false);
    verify_app
        ->add_option("--open", line.verify.open,
                     "A file that is open in an editor, to be checked first (repeatable)")
        ->allow_extra_args(false);
    verify_app->add_flag("--untrusted", line.verify.untrusted,
                         "Do not trust the folder: nothing runs that its files could start");
    verify_app->add_flag("--json", line.verify.json, "Print the result as one JSON object");
    verify_app->add_flag("--jsonl", line.verify.jsonl,
                         "Read {\"id\", \"root\", \"reply\", \"open\"} and print results, one JSON "
                         "object per line; servers stay warm between lines");
  }

  if (CLI::App* ask_app = command("ask", "Ask the model for a change, here in the terminal")) {
    ask_app->footer(kAskFooter);
    ask_app->add_option("REQUEST", line.ask.prompt,
                        "What to change, or a question (-: standard input)");
    ask_app->add_option(
        "FILE", line.ask.files,
        "FILE, FILE:LINE or FILE:FIRST-LAST to show the model; it reads others itself");
    ask_app->add_option("--image", line.ask.images, "Show the model this image; can be repeated")
        ->allow_extra_args(false)
        ->check(not_empty());
    ask_app
        ->add_option("--root", line.ask.root,
                     "Folder that the ask is about (default: the repository around this one)")
        ->check(not_empty());
    ask_app
        ->add_option("--profile", line.ask.profile,
                     "How the model works; see bodkin settings --profiles")
        ->check(not_empty());
    ask_app->add_option("--mode", line.ask.mode, "Who acts: confirm, auto, human or plan")
        ->type_name("MODE")
        ->check(CLI::IsMember({"confirm", "auto", "human", "plan"}));
    std::vector<std::string> formats{"auto"};
    for (const EditFormat& format : edit_formats()) formats.emplace_back(format.name);
    CLI::Option* const format =
        ask_app->add_option("--format", line.ask.format,
                            "How the model is taught to write edits; see bodkin.agent.editFormat");
    complete_with(format, formats);  // first: the help leaves out what the first check says
    format->check(not_empty());
    ask_app
        ->add_option("--effort", line.ask.effort,
                     "How long the model may think: auto, none, low, medium, high or max")
        ->type_name("EFFORT")
        ->check(CLI::IsMember({"auto", "none", "low", "medium", "high", "max"}));
    ask_app
        ->add_option("--provider", line.ask.provider,
                     "Use this provider instead of the one in the settings")
        ->check(not_empty())
        ->check(known_provider());
    ask_app
        ->add_option("--endpoint", line.ask.endpoint,
                     "Use this base URL instead of the one in the settings")
        ->check(not_empty());
    ask_app
        ->add_option("--model", line.ask.model, "Use this model instead of the one in the settings")
        ->check(not_empty());
    ask_app->add_flag("--choose", line.ask.choose,
                      "Choose a model in the terminal first, and keep it in the settings");
    ask_app
        ->add_option("--record", line.ask.record,
                     "Record the ask to this file for bodkin replay: the request, the files that "
                     "were read, and the answers, without secrets")
        ->check(not_empty());
    ask_app
        ->add_option("--session", line.ask.session,
                     "Continue this session (\"last\": the most recent one); see bodkin history")
        ->check(not_empty());
    ask_app->add_flag("--plan", line.ask.plan, "Make a plan; change nothing")
        ->excludes("--profile");
    ask_app->add_flag("--yes", line.ask.yes,
                      "Write the changes without asking, unless a check fails");
    ask_app->add_flag("--diff", line.ask.diff, "Print a unified diff; write nothing")
        ->excludes("--yes");
    ask_app->add_flag("--json", line.ask.json, "Print events, one JSON object per line");
  }

  if (CLI::App* mcp_app = command("mcp", "Offer exact edits to other agents, as an MCP server")) {
    mcp_app->footer(kMcpFooter);
    mcp_app
        ->add_option("--root", line.mcp.root,
                     "Serve only this folder (default: what the client has open)")
        ->check(not_empty());
    mcp_app
        ->add_option("--print-config", line.mcp.print_config,
                     "Print what to paste into the settings of claude, codex, opencode, cline or "
                     "vscode, and exit")
        ->check(CLI::IsMember({"claude", "codex", "opencode", "cline", "vscode"}));
  }

  if (CLI::App* replay_app = command("replay", "Replay a recorded ask")) {
    replay_app->footer(kReplayFooter);
    replay_app
        ->add_option("RECORDING", line.replay.recording, "Recording made by bodkin ask --record")
        ->required();
    replay_app->add_flag("--json", line.replay.json, "Print events, one JSON object per line");
  }

  if (CLI::App* history_app = command("history", "Show past asks and their results")) {
    history_app->footer(kHistoryFooter);
    complete_with(history_app->add_option("ACTION", line.history.action,
                                          "list, show, export or clear (default: list; with an ID "
                                          "alone: show)"),
                  {"list", "show", "export", "clear"});
    history_app->add_option("ID", line.history.id,
                            "The session to show, to export or to clear, or its proposal");
    history_app->add_flag("--yes", line.history.yes, "Clear all of it without asking");
    history_app->add_flag("--json", line.history.json, "Print JSON");
  }

  for (const char* name : {"undo", "redo"}) {
    const bool is_undo = name == std::string_view("undo");
    CLI::App* undo_app = command(
        name, is_undo ? "Undo a change that was applied" : "Reapply a change that was undone");
    if (!undo_app) continue;
    undo_app->footer(kUndoFooter);
    undo_app->add_option("WHAT", line.undo.words,
                         "[ID|last] [FILE …]: the id of a proposal or session (default: last), and "
                         "the files you mean (default: all)");
    undo_app
        ->add_option("--root", line.undo.root,
                     "Folder whose last change is meant (default: the repository around this "
                     "one; with an id the proposal's)")
        ->check(not_empty());
    undo_app->add_flag("--diff", line.undo.diff, "Print a unified diff; write nothing");
    undo_app->add_flag("--json", line.undo.json, "Print the result as one JSON object");
  }

  if (CLI::App* context_app = command("context", "Print what the model is shown for a location")) {
    context_app->footer(kContextFooter);
    context_app
        ->add_option("PLACE", line.context.place, "FILE:LINE or FILE:LINE:COLUMN, counted from 1")
        ->required();
    context_app->add_flag("--json", line.context.json, "Print JSON");
    context_app
        ->add_option("--root", line.context.root,
                     "Workspace folder: print the whole prompt, with the declarations used "
                     "there and the repository map")
        ->check(not_empty());
    context_app->add_flag("--untrusted", line.context.untrusted,
                          "Do not trust the workspace: git is not run in it");
  }

  if (CLI::App* complete_app = command("complete", "Send one request to a model")) {
    complete_app->footer(kCompleteFooter);
    complete_app
        ->add_option("--provider", line.complete.provider,
                     "Provider (default: from the settings, else auto)")
        ->check(known_provider());
    complete_app->add_option("--endpoint", line.complete.endpoint, "Base URL");
    complete_app->add_option("--model", line.complete.model, "Model name");
    complete_app
        ->add_option("--image", line.complete.images,
                     "Image to attach to the last message (repeatable)")
        ->allow_extra_args(false);
    complete_app->add_option("--api-key-env", line.complete.api_key_env,
                             "Name of the environment variable that holds the API key");
    complete_app->add_option("--idle-limit", line.complete.idle_limit,
                             "Give up after this many seconds without a byte");
    complete_app->add_option("--progress-limit", line.complete.progress_limit,
                             "Give up after this many seconds of only keep-alives");
    complete_app->add_option("--api-version", line.complete.api_version,
                             "Version of the provider's API");
  }

  if (CLI::App* check_app =
          command("check", "Print which model would be asked and why, and whether it answers")) {
    check_app->footer(kCheckFooter);
    check_app
        ->add_option("--provider", line.check.provider,
                     "Use this provider instead of the one in the settings")
        ->check(known_provider());
    check_app->add_option("--endpoint", line.check.endpoint,
                          "Use this base URL instead of the one in the settings");
    check_app->add_option("--model", line.check.model,
                          "Use this model instead of the one in the settings");
  }

  if (CLI::App* trust_app = command("trust", "Trust a folder, so that commands may run in it")) {
    trust_app->footer(kTrustFooter);
    trust_app
        ->add_option("FOLDER", line.trusted, "The folder (default: the repository around this one)")
        ->check(not_empty());
  }

  if (CLI::App* settings_app = command("settings", "List the language server's settings")) {
    settings_app->footer(kSettingsFooter);
    settings_app->add_option("WORD", line.settings_word,
                             "Only those whose name contains this, for example model");
    settings_app->add_flag("--json", line.settings_json, "Print JSON");
    settings_app->add_flag("--profiles", line.profiles,
                           "List the values of agent.profile: the built-in profiles and your own");
  }

  if (CLI::App* completion_app =
          command("completion", "Print a completion script for a shell to source")) {
    completion_app->footer(kCompletionFooter);
    completion_app->add_option("SHELL", line.shell, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  }
  if (CLI::App* manual_app = command("manual", "Print a page of the manual, for man -l -")) {
    manual_app->footer(kManualFooter);
    std::vector<std::string> commands;
    for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; }))
      commands.push_back(one->get_name());
    complete_with(manual_app->add_option("COMMAND", line.page,
                                         "The command that the page is about (default: all of it)"),
                  commands);
  }
}

}  // namespace bodkin
