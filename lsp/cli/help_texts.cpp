// More than 350 lines: the help of each command is one text.
#include "lsp/cli/help_texts.h"

namespace bodkin {

const char kFirstSteps[] =
    R"(bodkin is a language server, which your editor starts. In a terminal:
  bodkin check                            what works here, and what is missing
  bodkin ask "rename x to width" main.c   a model's change, checked, as a diff
  bodkin apply --diff < reply.md          what any chat's answer would change
All commands: bodkin --help. For editors: README.md, :help bodkin in Neovim.
)";

// Decides: the words of a subcommand's help, and its exit codes.
const char kApplyFooter[] = R"(
DESCRIPTION
  patch(1) for language models. Reads a model's whole reply, prose included,
  finds the edits in it, places each at exactly the bytes it is meant for, and
  writes all of the files or none. An edit that fits two places, or only nearly
  fits, is refused; standard error says what differs and what to send instead,
  worded for the model it can be sent back to.

FORMATS
  auto detects these by their markers, even several in one reply:
    search_replace, search_replace_dashes, roo
                          SEARCH/REPLACE blocks (Aider, Cline, Roo); also
                          "Find:" and "Replace with:" above fences
    patch                 *** Begin Patch (Codex, GPT-4.1)
    unified               diffs
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
  Without a private state folder (mode 0700), nothing is changed. The change is
  in bodkin history, so that bodkin undo can undo it; if the history cannot be
  written or is off, this is said.

EXIT STATUS
  0  applied, or the changes are certainly already in place; with --dry-run
     or --diff: can be applied
  1  refused, or a file cannot be written; nothing was changed
  2  invalid command line, or the reply cannot be read
  --jsonl exits with 0; each output line says whether its case was refused.

EXAMPLES
  bodkin apply < reply.md                  apply a reply to the files here
  bodkin apply --clipboard --diff          what a copied answer changes
  bodkin apply --root ~/src/app reply.md   files are relative to ~/src/app
  llm 'fix it' | bodkin apply --json       for programs: {"ok", "hunks", …}
  bodkin apply --format str_replace \
    <<< '{"path": "a.c", "old_str": "1", "new_str": "2"}'
)";

const char kVerifyFooter[] = R"(
DESCRIPTION
  Reads a model's whole reply, from a file or standard input, places its edits
  as bodkin apply does, and shows the resulting texts to language servers of
  its own, named in bodkin.verify.servers or found on PATH: clangd, basedpyright
  or pyright, typescript-language-server, gopls, bash-language-server. Those
  inside the folder (.venv, node_modules) run only if your settings trust it:
  bodkin trust. Compilers confirm what servers say, in the sandbox, unless
  --untrusted is given: gcc, go, and cargo, which alone checks Rust, and runs
  the build scripts of the folder. No file is written. Files that depend on the
  changed ones are checked, too. New errors are problems; new warnings are
  listed. Prose and data are checked by their syntax. What is uncertain is
  reported as not_checked, never as clean. A diff whose changes are in the files
  already, as of git diff, is checked as if it were to be made, and so is a
  reply that bodkin apply has applied. --staged checks the texts in git's index,
  --worktree the files as they are, untracked ones, too, both against HEAD;
  binary files are passed over, and nothing to check is success.

RESULT
  {"state": "clean" | "problems" | "not_checked", "by": ["clangd"],
   "reason", "doubt": a name for the reason, "new": [{"path", "line",
   "severity", "code", "message", "source"}], "fixed": [...],
   "remaining": N, "ms": N}

EXIT STATUS
  0  clean
  1  problems: there are new errors
  2  not checked, or not all of it; invalid command line
  3  the reply cannot be placed
  130  cancelled (Ctrl-C)
  --jsonl exits with 0; each output line has its own state.

HOOK
  .git/hooks/pre-commit, executable, which only new errors stop:
    #!/bin/sh
    bodkin verify --staged
    [ $? -ne 1 ]

EXAMPLES
  bodkin verify < reply.md              who checked, and what was found
  bodkin verify --json reply.md         the object above, for scripts
  bodkin verify --staged                what is about to be committed
  git diff --staged | bodkin verify     the same, of any diff that is made
  bodkin verify --untrusted reply.md    run nothing that the folder has
)";

const char kAskFooter[] = R"(
DESCRIPTION
  The model works on a draft. What it changes is checked and shown as a diff;
  files are written only when you say so, all of them or none, as by
  bodkin apply. Uses your settings (bodkin settings) and model (bodkin check);
  if there is no model yet, you choose one in the terminal.
  Without a REQUEST, in a terminal, it is a conversation: requests are typed one
  after the other, in one session; Up shows earlier ones, Tab completes, Esc
  stops the model, !COMMAND runs one of yours, Ctrl-D ends, and /help lists the
  commands. What you type while the model works waits for the next prompt.
  In a terminal you choose: apply, choose hunks, refine, view, or discard;
  bodkin redo ID brings back what you discarded or cancelled. In a pipe the
  diff goes to standard output and nothing is written unless --yes is given;
  even then, nothing is written if a check finds a problem, if your settings
  ask for a check that could not be made, or if a changed file runs commands.
  What is piped in beside a request is shown to the model with it, without the
  secrets that are recognizable; of more than 64 kB the beginning and the end.
  What a loop or script of a shell reads stays its own; in a script,
  "exec bodkin ask" hands it on.
  Permissions (bodkin.agent.permissions) are asked for in a terminal; without
  one, the model is told so, and goes on without them.

EXIT STATUS
  0  applied, answered, shown or discarded
  1  refused, failed, or not written
  2  invalid command line
  3  a limit in the settings was reached
  130  cancelled (Ctrl-C)

EXAMPLES
  bodkin ask
  bodkin ask "why is the first frame dropped?" src/player.c
  bodkin ask "use a span here" src/buffer.cpp:40-62
  bodkin ask --plan "split the parser from the printer"
  make 2>&1 | bodkin ask "fix this"
  bodkin ask --yes "fix the typos in the README" README.md
  bodkin ask --diff "add a --version flag" | git apply
)";

const char kMcpFooter[] = R"(
DESCRIPTION
  Serves the Model Context Protocol on standard input and output: an agent with
  its own model (Claude Code, Codex, opencode, Cline, VS Code) places its edits
  with bodkin's tools, exactly or not at all. An edit is written to the disk,
  all of its files or none, and can be undone by its id. None of your models is
  asked, and nothing is sent anywhere.

TOOLS
  check_patch   where a patch belongs, its diff and new syntax errors
  apply_patch   applies it: *** Begin Patch, unified diff, SEARCH/REPLACE
  edit          replaces one piece of text
  undo          undoes a change, while its files are as it left them
  read_symbol, outline, context
                exact text, declarations, and what matters at a line
  verify        what language servers say of a patch before it is applied

FOLDER
  --root, else the folder that the client names, else $CLAUDE_PROJECT_DIR, else
  the current one. Nothing outside of it is read or changed, nor are private
  files (.env, keys, .bodkinignore). / and your home folder are not served.
  Language servers may run what is in the folder only if you trust it
  (bodkin.workspace.trusted). What it changed is in bodkin history.

EXIT STATUS
  0  the client has closed the input
  1  the client has stopped reading
  2  invalid command line

EXAMPLES
  bodkin mcp --print-config claude         what to put into .mcp.json
  bodkin mcp --print-config codex          for ~/.codex/config.toml
  bodkin mcp --root ~/src/app
)";

const char kAcpFooter[] = R"(
DESCRIPTION
  Speaks the Agent Client Protocol (version 1) on standard input and output;
  an editor starts it: Zed, JetBrains' IDEs, avante.nvim, codecompanion.nvim.
  Its sessions use your settings, model, permissions and history, and trust
  the folders in bodkin.workspace.trusted, as in every other editor. Each
  proposal is shown with its diffs and verdict, and you are asked once;
  unsaved text is seen and kept.

EXAMPLES
  Zed, in settings.json:
    "agent_servers": {"bodkin": {"type": "custom", "command": "bodkin",
                                 "args": ["acp"]}}
  JetBrains' IDEs, in ~/.jetbrains/acp.json:
    {"agent_servers": {"bodkin": {"command": "bodkin", "args": ["acp"],
                                  "env": {}}}}
)";

const char kHistoryFooter[] = R"(
DESCRIPTION
  Each ask is kept in ~/.local/state/bodkin/history.db (or below
  $XDG_STATE_HOME): what was said, every tool call with its result, what it
  cost, and the files before and after a proposal; secrets are left out. What
  bodkin apply or an agent (bodkin mcp) changed is there, too, for undo: the
  last 50 changes of each folder, to the byte.
  bodkin.history.retentionDays and bodkin.history.maxMegabytes limit it all.
  bodkin ask --session ID continues a session (with --root FOLDER if its folder
  was moved), and bodkin undo ID undoes its change. The beginning of an ID is
  enough wherever one is taken, if it is the beginning of only one, and "last"
  is the first that is listed: this folder comes first.

STATES
  What bodkin did; the files are only compared where one says "since".
  ready           to be decided about
  stale           the same, but its lines have changed since
  partly          some of its hunks are applied; it says how many
  undone in part  some of what was applied is undone
  discarded       not applied; bodkin redo ID does it
  asked           an agent may not apply it; bodkin apply ID does it
  unknown         bodkin was ended while it was written, and the files have
                  changed since
  not applied     bodkin was ended, and the files are as before
  applied, changed since   not by bodkin, and not back to how it was before
  applied, reverted since  the files are as before, but not by bodkin

EXIT STATUS
  0  done
  1  the history cannot be read, or has no such session
  2  invalid command line

EXAMPLES
  bodkin history                          list all of it, the latest first
  bodkin history show ID                  what was asked, done and answered
  bodkin history export ID > session.md   all of it, as Markdown
  bodkin history clear                    remove all (in a script: --yes)
)";

const char kUndoFooter[] = R"(
DESCRIPTION
  What bodkin ask, bodkin apply, an editor or an agent applied is in the history
  (bodkin history), each change with an id. bodkin undo reverts one, even after
  a restart, and bodkin redo applies it again. Lines that have changed since are
  left alone and listed; changes elsewhere in a file are kept. All of the rest
  is written, or nothing. Without an id, undo takes the newest change of this
  folder that is in place, and redo what was undone last, unless something was
  changed since; of one that is days old you are asked. With its id, bodkin redo
  also applies a proposal that you had discarded.

EXIT STATUS
  0  done
  1  nothing was done, or some files stay as they are
  2  invalid command line

EXAMPLES
  bodkin undo                        undo the last change in this folder
  bodkin undo --diff                 see what that would change
  bodkin undo last src/a.c           only that file
  bodkin undo p1-09mkxq7t2a          a change by its id, of any folder
  bodkin redo                        reapply what was undone last
)";

const char kReplayFooter[] = R"(
DESCRIPTION
  Plays an ask again from the file that bodkin ask --record wrote, on a copy of
  the files that it read. No model is asked, and nothing of yours is read or
  changed: no file, setting or history. It reports what differs from the
  recording.

EXIT STATUS
  0  nothing differs, and the ask had succeeded
  1  something differs, the ask had failed, or it is not a recording
  2  invalid command line
  3  the ask had reached a limit
  130  cancelled (Ctrl-C)

EXAMPLES
  bodkin ask --record bug.json "use a span here" src/buffer.cpp:40-62
  bodkin replay bug.json
)";

const char kContextFooter[] = R"(
DESCRIPTION
  Prints the declaration around the line as the model is shown it, and with
  --root the whole prompt. No model is asked, and nothing is sent anywhere.

EXIT STATUS
  0  done
  1  the file cannot be read, or has no such line
  2  invalid command line

EXAMPLES
  bodkin context src/buffer.cpp:40            the code around line 40
  bodkin context --root . src/buffer.cpp:40   everything the model is shown
)";

const char kCompleteFooter[] = R"(
DESCRIPTION
  Reads one request from standard input, as a JSON object with "messages" and
  perhaps "system", "tools", "model", "max_tokens", "temperature" or "stream";
  prints the answer as one. The format is the same for all providers. For a
  change or a question use bodkin ask.

EXIT STATUS
  0  answered
  1  failed: "error" of the answer says why
  2  invalid command line

EXAMPLES
  echo '{"messages": [{"role": "user", "content": "hi"}]}' | bodkin complete
)";

const char kCheckFooter[] = R"(
DESCRIPTION
  Prints which model an ask here would use, which keys, model servers, programs
  and settings were found, what would check the languages of this folder, and
  whether it is trusted. What is missing is named with the command that installs
  it. The model is sent one short request, without any of your code; your MCP
  servers are started and asked for their tools.

EXIT STATUS
  0  the model answers
  1  there is no model, or it does not answer
  2  invalid command line

EXAMPLES
  bodkin check
  bodkin check --endpoint http://localhost:8080/v1 --model qwen3-coder
)";

const char kTrustFooter[] = R"(
DESCRIPTION
  Adds a folder to bodkin.workspace.trusted in your settings.json. Until you
  trust a folder, neither the model's commands nor verify.command run in it, and
  every edit waits for you. In a trusted folder they run in the sandbox, as your
  permissions say. Everything below the folder is trusted, too. VS Code, and
  Neovim with setup{trusted = ...}, decide for themselves.

EXIT STATUS
  0  trusted
  1  the settings could not be changed
  2  invalid command line

EXAMPLES
  bodkin trust
  bodkin trust ~/src/hello
)";

const char kSettingsFooter[] = R"(
DESCRIPTION
  Prints each setting with its current value. Your own settings are in
  ~/.config/bodkin/settings.json (or below $XDG_CONFIG_HOME), one JSON object;
  editors have settings of the same names.

EXIT STATUS
  0  done
  1  there is no such setting
  2  invalid command line

EXAMPLES
  bodkin settings permissions         those whose name contains this word
  bodkin settings --profiles          the ways in which a model can work
)";

const char kCompletionFooter[] = R"(
EXAMPLES
  source <(bodkin completion bash)          in ~/.bashrc
  source <(bodkin completion zsh)           in ~/.zshrc, after compinit
  bodkin completion fish | source           in ~/.config/fish/config.fish
)";

const char kManualFooter[] = R"(
EXAMPLES
  bodkin manual | man -l -            the page bodkin(1)
  bodkin manual ask | man -l -        the page of a command
)";

}  // namespace bodkin
