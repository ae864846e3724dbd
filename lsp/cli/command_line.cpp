#include "lsp/cli/command_line.h"

#include <CLI/CLI.hpp>

#include "agent/support/shown_text.h"
#include "lsp/cli/version.h"

namespace bodkin {
namespace {

constexpr const char* kApplyFooter = R"(
DESCRIPTION
  patch(1) for language models. Reads a model's whole reply, prose included,
  finds the edits in it, places each at exactly the bytes it is meant for, and
  writes all of the files or none. An edit that fits two places, or only nearly
  fits, is refused; standard error says what differs and what to send instead,
  worded for the model it can be sent back to.

FORMATS
  auto detects these by their markers, even several in one reply:
    search_replace, search_replace_dashes, roo
                          SEARCH/REPLACE blocks (Aider, Cline, Roo)
    patch                 *** Begin Patch (Codex, GPT-4.1)
    unified, context_diff, normal_diff, ed, rcs
                          diffs and scripts
    lazy, whole           code with "... existing code ...", whole files
  str_replace and line_edits are JSON, as in tool calls:
    {"path": "a.py", "old_str": "x = 1", "new_str": "x = 2"}
    [{"path": "a.py", "start_line": 3, "end_line": 4,
      "replacement": "y = 2"}]

FILES
  Files are replaced by renaming. Mode, owner, symbolic links, line endings,
  byte order mark and final newline are kept; a hard link to the file keeps the
  old text. Anything in .git, outside the root, read-only, or not a regular file
  is refused. While files change, ~/.local/state/bodkin/apply (or
  $XDG_STATE_HOME/bodkin/apply) holds a journal. If the process is killed
  midway, the next run in the same root first restores everything and says so.
  Without a private state folder (mode 0700), nothing is changed.

EXIT STATUS
  0  applied, or the changes are certainly already in place; with --dry-run
     or --diff: can be applied
  1  refused, or a file cannot be written; nothing was changed
  2  invalid command line, or the reply cannot be read
  --jsonl exits with 0; each output line says whether its case was refused.

EXAMPLES
  bodkin apply < reply.md                  apply a reply to the files here
  bodkin apply --clipboard --diff          see what a copied answer would change
  bodkin apply --root ~/src/app reply.md   files are relative to ~/src/app
  llm 'fix it' | bodkin apply --json       for programs: {"ok", "hunks", …}
  bodkin apply --format str_replace \
    <<< '{"path": "a.c", "old_str": "1", "new_str": "2"}'
)";

constexpr const char* kVerifyFooter = R"(
DESCRIPTION
  Reads a model's whole reply on standard input, places its edits as bodkin
  apply does, and shows the resulting texts to language servers of its own,
  found on PATH: clangd, pyright, typescript-language-server, gopls,
  bash-language-server. No file is written. Files that depend on the changed
  ones are checked, too. New errors are problems; new warnings are listed.
  What is not certain is not checked, never clean.

RESULT
  {"state": "clean" | "problems" | "not_checked", "by": ["clangd"], "reason",
   "new": [{"path", "line", "severity", "code", "message", "source"}],
   "fixed": [...], "remaining": N, "ms": N}

EXIT STATUS
  0   clean
  1   problems: there are new errors
  2   not checked, or not all of it
  3   the reply cannot be placed
  64  invalid command line
  --jsonl exits with 0; each output line has its own state.
)";

constexpr const char* kAskFooter = R"(
DESCRIPTION
  The model works on a draft. What it changes is checked and shown as a diff;
  files are written only when you say so, all of them or none, as by
  bodkin apply. Uses your settings (bodkin settings) and model (bodkin check).
  In a terminal you choose: apply, choose hunks, refine, or discard. In a pipe
  the diff goes to standard output and nothing is written, unless --yes is
  given; then a change that a check objects to, that could not be checked as
  your settings say, or that touches a file that runs commands is still not
  written. What needs a permission (bodkin.agent.permissions) is asked for in
  a terminal; without one, the ask ends there.

EXIT STATUS
  0  applied, answered, shown or discarded
  1  refused, failed, or not written
  2  invalid command line
  3  a limit of the settings was met
  130  cancelled (Ctrl-C)

EXAMPLES
  bodkin ask "why is the first frame dropped?" src/player.c
  bodkin ask "use a span here" src/buffer.cpp:40-62
  bodkin ask --plan "split the parser from the printer"
  bodkin ask --yes "fix the typos in the README" README.md
  bodkin ask --diff "add a --version flag" | git apply --3way
)";

constexpr const char* kMcpFooter = R"(
DESCRIPTION
  Serves the Model Context Protocol on standard input and output: an agent that
  has a model of its own (Claude Code, Codex, opencode, Cline, VS Code) places
  its edits with bodkin's tools, exactly or not at all. An edit is written to
  the disk, all files of it or none, and can be taken back by its id. No model
  of yours is asked, and nothing is sent anywhere.

TOOLS
  check_patch   where a patch belongs, its diff and new syntax errors
  apply_patch   applies it: *** Begin Patch, unified diff, SEARCH/REPLACE
  edit          replaces one piece of text
  undo          takes a change back, while its files are as it left them
  read_symbol, outline, context
                exact text, declarations, and what matters at a line
  verify        what language servers say of a patch, before it is applied

FOLDER
  --root, else the folder that the client names, else $CLAUDE_PROJECT_DIR, else
  the current one. Nothing outside of it is read or changed, nor are private
  files (.env, keys, .bodkinignore). / and your home folder are not served.
  Language servers may run what is in the folder only if you trust it
  (bodkin.workspace.trusted). What is kept for undo is in
  ~/.local/state/bodkin/apply: the last 50 changes of each folder.

EXIT STATUS
  0  the client has closed the input
  1  the client has stopped reading
  2  invalid command line

EXAMPLES
  bodkin mcp --print-config claude > .mcp.json
  bodkin mcp --print-config codex >> ~/.codex/config.toml
  bodkin mcp --root ~/src/app
)";

constexpr const char* kAcpFooter = R"(
DESCRIPTION
  Speaks the Agent Client Protocol (version 1) on standard input and output;
  an editor starts it: Zed, JetBrains' IDEs, avante.nvim, codecompanion.nvim.
  Its sessions have your settings, model, permissions and history, and trust
  the folders in bodkin.workspace.trusted, as in every other editor. Each
  proposal is shown with its diffs and verdict, and asks once; text that you
  have not saved is seen and kept.

EXAMPLES
  Zed: "agent_servers": {"bodkin": {"type": "custom", "command": "bodkin",
                                    "args": ["acp"]}}
)";

constexpr const char* kHistoryFooter = R"(
DESCRIPTION
  Each ask is kept in ~/.local/state/bodkin/history.db (or below
  $XDG_STATE_HOME): what was said, every tool call with its result, what it
  cost, and the files before and after a proposal; secrets are left out.
  bodkin.history.retentionDays and bodkin.history.maxMegabytes limit it.
  A session goes on with bodkin ask --session ID; the beginning of an ID is
  enough, and "last" is the last one.

EXIT STATUS
  0  done
  1  the history cannot be read, or has no such session
  2  invalid command line

EXAMPLES
  bodkin history                          list the sessions, the last one first
  bodkin history show ID                  what was asked, done and answered
  bodkin history export ID > session.md   all of it, as Markdown
  bodkin history clear                    remove everything
)";

}  // namespace

void fold_help(CLI::App& app) {
  constexpr size_t kWidth = 48, kLeft = 30;
  app.get_formatter()->column_width(kLeft);
  for (CLI::Option* option : app.get_options())
    option->description(wrapped(option->get_description(), kWidth, 0));
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    command->description(wrapped(command->get_description(), kWidth, 0));
    fold_help(*command);
  }
}

void declare_options(CLI::App& app, CommandLine& line, std::string_view only) {
  // nullptr: its options are not needed. Declaring them all takes a tenth of a start.
  const auto command = [&](const char* name, const char* description) -> CLI::App* {
    CLI::App* one = app.add_subcommand(name, description);
    return only.empty() || only == name ? one : nullptr;
  };

  app.set_version_flag("--version", std::string("bodkin " BODKIN_VERSION) + kCommit);
  app.require_subcommand(0, 1);
  app.add_flag("--stdio", line.stdio, "Speak LSP on standard input and output (the default)");
  app.add_subcommand("lsp", "Run the language server on standard input and output (the default)");
  if (CLI::App* acp = command("acp", "Be an agent for editors with the Agent Client Protocol"))
    acp->footer(kAcpFooter);

  if (CLI::App* apply_app = command("apply", "Apply a model's reply to files")) {
    apply_app->footer(kApplyFooter);
    apply_app->add_option("REPLY", line.apply.reply,
                          "File with the reply (default: standard input)");
    apply_app->add_flag("--clipboard", line.apply.clipboard, "Read the reply from the clipboard");
    apply_app->add_option(
        "--root", line.apply.root,
        "Folder that paths are relative to; nothing outside it is touched (default: .)");
    apply_app->add_option("--format", line.apply.format, "Format of the edits (default: auto)");
    apply_app->add_option("--path", line.apply.path, "File to edit, for formats without paths");
    apply_app->add_flag("--truncated", line.apply.truncated,
                        "The reply was cut off: do not claim success");
    apply_app->add_flag("--dry-run", line.apply.dry_run, "Print what would happen; change nothing");
    apply_app->add_flag("--diff", line.apply.diff, "Print a unified diff; change nothing");
    apply_app->add_flag("--json", line.apply.json, "Print the result as one JSON object");
    apply_app->add_flag("--jsonl", line.apply.jsonl,
                        "Read cases and print results, one JSON object per line; touch no files");
  }

  if (CLI::App* verify_app =
          command("verify", "Check a model's reply with language servers; change nothing")) {
    verify_app->footer(kVerifyFooter);
    verify_app->add_option("REPLY", line.verify.reply,
                           "The reply's file (default: standard input)");
    verify_app->add_option("--root", line.verify.root,
                           "Folder that paths are relative to (default: .)");
    verify_app->add_option("--server", line.verify.servers,
                           "Use only this language server, for example clangd (repeatable)");
    verify_app->add_option("--open", line.verify.open,
                           "A file that is open in an editor: it is checked first (repeatable)");
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
    ask_app->add_option("--root", line.ask.root,
                        "Folder that the ask is about (default: the repository around this one)");
    ask_app->add_option("--profile", line.ask.profile,
                        "How the model works; see bodkin settings --profiles");
    ask_app->add_option("--mode", line.ask.mode, "Who acts: confirm, auto, human or plan");
    ask_app->add_option("--format", line.ask.format,
                        "How the model is taught to write edits; see bodkin.agent.editFormat");
    ask_app->add_option("--provider", line.ask.provider,
                        "Use this provider instead of the one in the settings");
    ask_app->add_option("--endpoint", line.ask.endpoint,
                        "Use this base URL instead of the one in the settings");
    ask_app->add_option("--model", line.ask.model,
                        "Use this model instead of the one in the settings");
    ask_app->add_option("--record", line.ask.record,
                        "Write the ask to this file, which bodkin replay plays again: the request, "
                        "the files that were read, and the answers, without secrets");
    ask_app->add_option("--session", line.ask.session,
                        "Go on with this session, or with \"last\"; see bodkin history");
    ask_app->add_flag("--plan", line.ask.plan, "Make a plan; change nothing")
        ->excludes("--profile");
    ask_app->add_flag("--yes", line.ask.yes,
                      "Write the changes without asking, if no check objects");
    ask_app->add_flag("--diff", line.ask.diff, "Print a unified diff; write nothing")
        ->excludes("--yes");
    ask_app->add_flag("--json", line.ask.json, "Print events, one JSON object per line");
  }

  if (CLI::App* mcp_app = command("mcp", "Offer exact edits to other agents, as an MCP server")) {
    mcp_app->footer(kMcpFooter);
    mcp_app->add_option("--root", line.mcp.root,
                        "Serve only this folder (default: what the client has open)");
    mcp_app
        ->add_option("--print-config", line.mcp.print_config,
                     "Print what to paste into the settings of claude, codex, opencode, cline or "
                     "vscode, and exit")
        ->check(CLI::IsMember({"claude", "codex", "opencode", "cline", "vscode"}));
  }

  if (CLI::App* replay_app = command("replay", "Play an ask again that was recorded")) {
    replay_app->add_option("RECORDING", line.replay.recording, "A file of bodkin ask --record")
        ->required();
    replay_app->add_flag("--json", line.replay.json, "Print events, one JSON object per line");
  }

  if (CLI::App* history_app = command("history", "Show what was asked, and what came of it")) {
    history_app->footer(kHistoryFooter);
    history_app
        ->add_option("ACTION", line.history.action, "list, show, export or clear (default: list)")
        ->check(CLI::IsMember({"list", "show", "export", "clear"}));
    history_app->add_option("ID", line.history.id, "The session to show, to export or to clear");
    history_app->add_flag("--json", line.history.json, "Print JSON");
  }

  if (CLI::App* context_app = command("context", "Print what the model is shown for a location")) {
    context_app
        ->add_option("place", line.context.place, "FILE:LINE or FILE:LINE:COLUMN, counted from 1")
        ->required();
    context_app->add_flag("--json", line.context.json, "Print JSON");
    context_app->add_option("--root", line.context.root,
                            "Workspace folder: print the whole prompt, with the declarations used "
                            "there and the repository map");
    context_app->add_flag("--untrusted", line.context.untrusted,
                          "Do not trust the workspace: git is not run in it");
  }

  if (CLI::App* complete_app = command("complete", "Send one request to a model")) {
    complete_app->add_option("--provider", line.complete.provider,
                             "Provider (default: from the settings, else auto)");
    complete_app->add_option("--endpoint", line.complete.endpoint, "Base URL");
    complete_app->add_option("--model", line.complete.model, "Model name");
    complete_app->add_option("--image", line.complete.images,
                             "Image to attach to the last message");
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
    check_app->add_option("--provider", line.check.provider,
                          "Use this provider instead of the one in the settings");
    check_app->add_option("--endpoint", line.check.endpoint,
                          "Use this base URL instead of the one in the settings");
    check_app->add_option("--model", line.check.model,
                          "Use this model instead of the one in the settings");
  }

  if (CLI::App* settings_app = command("settings", "List the language server's settings")) {
    settings_app->add_flag("--json", line.settings_json, "Print JSON");
    settings_app->add_flag("--profiles", line.profiles,
                           "List the values of agent.profile: the built-in profiles and your own");
  }

  if (CLI::App* completion_app =
          command("completion", "Print the completion of a shell, to be sourced by it")) {
    completion_app->add_option("SHELL", line.shell, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  }
  if (CLI::App* manual_app = command("manual", "Print a page of the manual, for man -l -")) {
    manual_app->add_option("COMMAND", line.page,
                           "The command that the page is about (default: all of it)");
  }
}

}  // namespace bodkin
