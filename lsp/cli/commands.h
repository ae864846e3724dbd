// The subcommands of the command line, one function each. subcommands.cpp declares their options.
// Each returns the program's exit code:
// 0 done, 1 refused or failed (the reason is on standard error), 2 usage.
#pragma once

#include <string>
#include <vector>

namespace bodkin {

struct ApplyCommand {
  std::string reply;       // the file with the reply; empty or "-": standard input
  bool clipboard = false;  // or the clipboard
  std::string root = ".";
  std::string format = "auto";
  std::string path;  // for formats that carry none
  bool truncated = false;
  bool diff = false;     // print the diff, touch nothing
  bool dry_run = false;  // say what would happen, touch nothing
  bool why = false;      // also say why each hunk is where it is
  bool json = false;
  bool jsonl = false;  // cases on standard input, results on standard output, no files
};
int apply_command(const ApplyCommand& options);
int apply_cases();  // … --jsonl

// bodkin verify. The exit code: 0 clean, 1 problems, 2 not checked, or usage, 3 the reply cannot be
// placed; with `jsonl` 0.
struct VerifyCommand {
  std::string root = ".";
  std::vector<std::string> open;     // files, as if an editor had them open
  std::vector<std::string> servers;  // only these, by name; empty: all
  bool untrusted = false;            // the folder is untrusted (clients/USERS.md, "Trust")
  bool json = false;
  bool jsonl = false;  // {"id", "root", "reply", "open"} a line; the servers stay warm
  std::string reply;   // its file; empty or "-": standard input
  bool staged = false, worktree = false;  // one of them: what git says is changed, and no reply
};
int verify_command(const VerifyCommand& options);

struct McpCommand {
  std::string root;          // the only folder that is served; empty: the client says which
  std::string print_config;  // an agent: print what starts bodkin mcp there; empty: serve
};
int mcp_command(const McpCommand& options);

// bodkin settings. `word`: a part of the names of those that are listed; empty: all.
int settings_command(const std::string& word, bool json);
int profiles_command(bool json);  // … --profiles; 1: one of the user's cannot be loaded

// bodkin ask. The exit code: 0 applied, answered or only shown, 1 refused or failed, 2 usage,
// 3 a limit was met, 130 cancelled.
struct AskCommand {
  std::string prompt;                   // "-", or empty and no terminal: standard input, which else
                                        // is shown with it
  std::vector<std::string> files;       // FILE, FILE:LINE or FILE:FIRST-LAST, from 1
  std::vector<std::string> images;      // files, anywhere
  std::string root;                     // empty: the repository around the current folder
  std::string profile, format, effort;  // empty: the settings'
  std::string mode;                     // of agent.mode; empty: the settings'
  std::string record;                   // a file for bodkin replay; empty: none is made
  std::string provider, endpoint, model;  // in place of the settings'
  std::string session;                    // to go on with, from the history; empty: a new one
  bool choose = false;                    // the model, in the terminal, and keep the choice
  bool plan = false;                      // the profile plan
  bool yes = false;                       // write without asking, unless a check found something
  bool diff = false;                      // print the diff, write nothing
  bool json = false;                      // events on standard output, one a line
  bool in_conversation = false;           // another request is typed after it
  bool goes_on = false;                   // in one, and it is not the first one
  bool knows_off = false;                 // nor is it news that no command of the model's runs
  std::string output;                     // of commands of the user's, to be shown with the request
};
struct AskIds {         // for what comes after it in a conversation
  std::string session;  // empty: it cannot go on
  std::string dropped;  // the proposal that was not applied; empty: there is none
  std::string applied;  // or that was
  std::string typed;    // while it ran
  bool knows_off = false;
};
// `ids`: of one in a conversation, whose terminal is standard input.
int ask_command(const AskCommand& options, AskIds* ids = nullptr);
// The whole id of the session that the options name; empty: none can go on, and the user was told.
std::string session_to_go_on(const AskCommand& options);

struct ReplayCommand {    // bodkin replay: plays what `bodkin ask --record` has written
  std::string recording;  // the file
  bool json = false;      // as of AskCommand
};
int replay_command(const ReplayCommand& options);

// bodkin undo and bodkin redo. The exit code: 0 done, 1 refused or failed, or some files stay as
// they are, 2 usage.
struct UndoCommand {
  std::vector<std::string> words;  // the proposal's id or "last", if any, and files
  std::string root;                // empty: the proposal's folder, or as of AskCommand
  bool redo = false;
  bool diff = false;  // print what it would change, write nothing
  bool json = false;
  bool in_conversation = false;  // /undo and /redo are at hand
};
// `changed`: becomes the id of the change that was undone or redone, if any of it was. May be null.
int undo_command(const UndoCommand& options, std::string* changed = nullptr);

struct HistoryCommand {         // bodkin history
  std::string action = "list";  // list | show | export | clear
  std::string id;               // of a session: to show, to export, to clear (empty: all)
  bool yes = false;             // clear all of it without asking
  bool json = false;
  std::string sessions_of;  // a folder: list only its latest sessions
};
int history_command(const HistoryCommand& options);

struct ContextCommand {  // bodkin context FILE:LINE
  std::string place;     // FILE:LINE or FILE:LINE:COLUMN, both from 1
  bool json = false;
  std::string root;        // the workspace folder: print the whole prompt; empty: only the place
  bool untrusted = false;  // the workspace is untrusted (clients/USERS.md, "Trust")
};
int context_command(const ContextCommand& options);

// The request, {"model", "system", "messages": [{"role", "content"}], "max_tokens", "stream",
// "tools": [{"name", "description", "parameters"}]}, is read from standard input; content is a
// string or blocks. The answer is one object even if the request failed: {"text", "thinking",
// "tool_calls", "stop_reason", "usage", "error": null | {"kind", "message", "status"}, …}.
struct CompleteCommand {
  std::string provider;  // this and the endpoint empty: what the user's own settings say
  std::string endpoint;
  std::string model;
  std::string api_key_env;
  std::string api_version;
  std::vector<std::string> images;  // files that go with the last message
  int idle_limit = 0;               // seconds without a byte; 0: the default
  int progress_limit = 0;           // seconds with nothing but keep-alives; 0: the default
};
int complete_command(const CompleteCommand& options);

struct CheckCommand {                     // bodkin check: reports what works; never prints a key
  std::string provider, endpoint, model;  // in place of the settings'
};
int check_command(const CheckCommand& options);

// bodkin trust. `root`: as of AskCommand.
int trust_command(const std::string& root);

}  // namespace bodkin
