// Which settings there are, with what each means.
#include "lsp/workspace/settings.h"

namespace bodkin::lsp {

namespace {

using Type = Setting::Type;
using Scope = Setting::Scope;

constexpr Setting kSettings[] = {
    {"model.provider", Type::text, R"("auto")", Scope::user,
     "The model provider to use (on Azure, `azure-responses` for newer models, which support tools "
     "only there); `editor` for the editor's own model, `replay` for a recording. `auto` uses the "
     "first of: an API key in the environment, a model server on this machine, the editor's "
     "model."},
    {"model.name", Type::text, R"("")", Scope::user,
     "The model's name as the provider spells it; empty for the provider's default. For `replay`, "
     "the path of the recording."},
    {"model.endpoint", Type::text, R"("")", Scope::user,
     "The base URL of the model server, if it is not the default of the provider set next to it. "
     "Your code is sent there. Without a scheme: https, or http on this machine."},
    {"model.apiVersion", Type::text, R"("")", Scope::user,
     "The version of the provider's API, if it has several: Anthropic's version header, Gemini's "
     "v1 or v1beta, Azure's date; empty for the default."},
    {"model.apiKeyEnv", Type::text, R"("")", Scope::user,
     "The NAME of the environment variable that holds the API key, never the key itself."},
    {"model.apiKeyCommand", Type::text, R"("")", Scope::user,
     "A shell command that prints the API key, for example `pass show openai`."},
    {"model.providers", Type::object, "{}", Scope::user,
     "Settings for individual providers, used whenever that provider is chosen: {\"openai\": "
     "{\"endpoint\": …, "
     "\"apiKeyEnv\": …, \"apiKeyCommand\": …, \"apiVersion\": …}}."},
    {"model.insecureHosts", Type::list, "[]", Scope::user,
     "Hosts that an API key can be sent to over plain http, for example [\"192.168.1.5\"]; this "
     "machine is always allowed."},
    {"model.draft", Type::object, "{}", Scope::user,
     "The model that finishes sketches (the tool `edit_file`) where syntax alone cannot merge "
     "them: {\"provider\": …, \"endpoint\": …, \"name\": …, \"temperature\": …, \"prompt\": …}; "
     "missing members default to the main model's. Your code is sent there. `prompt` takes the "
     "place of "
     "its built-in instructions."},
    {"model.small", Type::object, "{}", Scope::user,
     "A cheap model that gives each session a title: {\"provider\": …, \"endpoint\": …, \"name\": "
     "…}; "
     "missing members default to the main model's. It is sent the session's first request. Without "
     "it, the "
     "request's first words are the title."},
    {"agent.profile", Type::text, R"("auto")", Scope::folder,
     "How the model works: with tools, with edit blocks in its text (`blocks`), with sketches that "
     "a second model finishes (`draft`), or with shell commands alone (`shell`); `plan` and "
     "`explain` edit nothing; `auto` uses tools if the model supports them and no edit format is "
     "chosen, else blocks. Also the name of a profile of your own: `bodkin settings "
     "--profiles` lists them all."},
    {"agent.mode", Type::text, R"("confirm")", Scope::user,
     "Who acts: `confirm` (edits wait until you apply them, and commands ask), `auto` (edits in "
     "which no check found a problem are applied, and commands that no rule of agent.permissions "
     "is about run in the sandbox), `human` (you give the commands and edits, and no model is "
     "asked) or `plan` (the profile `plan`: nothing is edited). The command bodkin.setMode changes "
     "it while an ask runs.",
     "confirm|auto|human|plan"},
    {"agent.contextWindow", Type::number, "0", Scope::user,
     "Maximum tokens for a request plus its reply. Older parts of a session that no longer fit are "
     "shortened, then summarized by the model; 0 uses the model's own window, if it is known."},
    {"agent.dialect", Type::text, R"("auto")", Scope::folder,
     "The tools offered to the model: those of another system that it may have been trained on, "
     "mapped to bodkin's own; `auto` chooses by the model's name, and bodkin's own for an unknown "
     "model.",
     "auto|codex|opencode|claude|anthropic|openhands|cursor|workflow"},
    {"agent.editFormat", Type::text, R"("auto")", Scope::folder,
     "Edit format the model is taught for its text, by Aider's names: edit blocks (`diff`, "
     "`diff-fenced` with the path inside), unified diffs (`udiff`), Codex's patches (`patch`) or "
     "whole files (`whole`); `editor-diff` and `editor-whole` have shorter instructions, for "
     "carrying out a change that another model has planned. Any of them is understood. Except for "
     "`auto`, it makes the profile `blocks` the automatic choice; `auto` goes by the model's "
     "name.",
     "auto|diff|diff-fenced|udiff|patch|whole|editor-diff|editor-whole"},
    {"agent.maxTurns", Type::number, "25", Scope::user,
     "Maximum number of requests to the model per ask; 0 for no limit."},
    {"agent.maxTokens", Type::number, "0", Scope::user,
     "Maximum number of tokens, input and output, per ask; 0 for no limit."},
    {"agent.maxCostUsd", Type::number, "0", Scope::user,
     "Maximum cost per ask, in US dollars; 0 for no limit. With a limit, a model whose price is "
     "unknown is not asked."},
    {"agent.maxCostUsdPerDay", Type::number, "0", Scope::user,
     "Maximum cost of all asks since midnight, in US dollars, counted while this is set; 0 for no "
     "limit. With a limit, a model whose price is unknown is not asked."},
    {"agent.maxMinutes", Type::number, "0", Scope::user,
     "After this many minutes an ask sends no further requests to the model; 0 for no limit."},
    {"agent.maxRepairs", Type::number, "2", Scope::user,
     "How many times per ask the model is sent new problems that its own edits caused."},
    {"agent.repair", Type::text, R"("offer")", Scope::folder,
     "When an applied edit causes new problems: send them to the model, offer to, or do nothing.",
     "auto|offer|off"},
    {"agent.permissions", Type::object, "{}", Scope::user,
     "What the model may do: {\"read\": \"ask\", \"edit\": {\"*\": \"allow\", \"db/**\": \"ask\", "
     "\"*.lock\": \"deny\"}}. Order does not matter: of the matching patterns, deny beats ask "
     "beats allow, and \"*\" counts only if no other pattern matches. Defaults: `read` and `edit` "
     "are allowed (an edit is a proposal until you apply it), `run` and `mcp` ask. A rule that "
     "cannot be parsed denies, and so does a question left unanswered for ten minutes."},
    {"agent.commandTimeoutMs", Type::number, "30000", Scope::user,
     "Time limit for a command that the model runs, in milliseconds; the model can only ask for "
     "less."},
    {"agent.mcpServers", Type::object, "{}", Scope::file,
     "MCP servers whose tools the model may call, after asking you: {\"docs\": {\"command\": "
     "\"docs-mcp\", \"args\": [\"--stdio\"], \"env\": {\"LEVEL\": \"2\"}, \"environment\": "
     "[\"DOCS_TOKEN\"], \"network\": true, \"readable\": [\"~/docs\"]}}. Each runs in a sandbox of "
     "its own, without the network, your files and your environment, except for what it is given "
     "here; `\"sandbox\": false` runs it as you."},
    {"history.retentionDays", Type::number, "30", Scope::user,
     "How many days the history keeps a session after it was last used; 0 keeps no history."},
    {"history.maxMegabytes", Type::number, "500", Scope::user,
     "How large the history may become, in megabytes, before its oldest sessions are removed; 0 "
     "for no limit."},
    {"edits.review", Type::text, R"("proposal")", Scope::user,
     "`proposal`: edits wait until you apply them. `direct`: edits are applied at once, unless a "
     "check found a problem or the edit touches a file that is not plain source code or prose: one "
     "that runs commands or configures a program that does, or is hidden, executable or generated. "
     "The mode `auto` (agent.mode) does the same, and lets commands run.",
     "proposal|direct"},
    {"verify.command", Type::list, "[]", Scope::user,
     "A program with its arguments, for example [\"make\", \"-j2\"], that checks every edit before "
     "you see it. It runs the proposed code, in a sandbox."},
    {"verify.commandTimeoutMs", Type::number, "60000", Scope::user,
     "Time limit for verify.command, in milliseconds; an edit that was not checked in time is "
     "marked as not checked."},
    {"verify.servers", Type::object, "{}", Scope::file,
     "Language servers that check an edit before you see it, by language or by their own name, "
     "for example {\"cpp\": {\"command\": [\"clangd-18\"]}}; an empty command: none; \"*\": all "
     "others, which without it are found on PATH. Of a server that bodkin does not know, only what "
     "it "
     "finds counts, unless \"complete\": true says that it publishes all problems of a text at "
     "once."},
    {"verify.serverTimeoutMs", Type::number, "30000", Scope::user,
     "Time limit for the start and for the first answer of each of these servers, in milliseconds; "
     "later answers get less, depending on how fast it was. What is not answered in time counts as "
     "not checked."},
    {"verify.timeoutMs", Type::number, "5000", Scope::folder,
     "How long to wait for the editor's language servers after an edit is applied, in "
     "milliseconds."},
    {"workspace.trusted", Type::list, "[]", Scope::file,
     "Folders that you trust, including everything below them. In any other folder, no program "
     "runs that the folder's files could influence, unless the editor reports that you trust it."},
    {"sandbox.network", Type::text, R"("off")", Scope::user,
     "Whether programs in the sandbox can reach the network.", "off|on"},
    {"sandbox.readable", Type::list, "[]", Scope::user,
     "Files and folders, for example [\"~/toolchains\", \"/data/models\"], that programs in the "
     "sandbox can read even though they are in your home folder or otherwise hidden. Well-known "
     "tools and programs on PATH need not be listed."},
    {"sandbox.caches", Type::list, "[]", Scope::user,
     "Folders that programs in the sandbox can read and write, in addition to the caches of "
     "well-known tools; what they write is discarded."},
    {"sandbox.environment", Type::list, "[]", Scope::user,
     "The NAMES of environment variables that programs in the sandbox can see, in addition to "
     "PATH, HOME, the locale, the terminal and the user name."},
    {"log.level", Type::text, R"("info")", Scope::folder, "How much to log.",
     "error|warning|info|debug"},
    {"server.path", Type::text, R"("")", Scope::client,
     "Path of the bodkin program; empty for the one that came with the extension, or else the "
     "one on PATH."},
    {"trace.server", Type::text, R"("off")", Scope::client,
     "Log the messages between the editor and bodkin to the editor's log.", "off|messages|verbose"},
};

}  // namespace

std::span<const Setting> all_settings() { return kSettings; }

}  // namespace bodkin::lsp
