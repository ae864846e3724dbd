// Which settings there are, with what each means.
#include "lsp/workspace/settings.h"

namespace bodkin::lsp {

namespace {

using Type = Setting::Type;
using Scope = Setting::Scope;

constexpr Setting kSettings[] = {
    {"model.provider", Type::text, R"("auto")", Scope::user,
     "Who answers: the name of a provider (on Azure `azure-responses` for newer models, which take "
     "tools only there), `editor` for the editor's own model, `replay` for a recording; `auto` "
     "takes a key in the environment, else a model server on this machine, else "
     "the editor's model."},
    {"model.name", Type::text, R"("")", Scope::user,
     "The model's name as its provider writes it; empty: the provider's usual one; for `replay`: "
     "the recording's file."},
    {"model.endpoint", Type::text, R"("")", Scope::user,
     "The base URL of the model's server, if it is not the usual one of the provider named beside "
     "it: your code is sent there. Without a scheme: https, or http on this machine."},
    {"model.apiVersion", Type::text, R"("")", Scope::user,
     "The version of the provider's interface, where it has several: Anthropic's header, Gemini's "
     "v1 or v1beta, Azure's date; empty: the usual one."},
    {"model.apiKeyEnv", Type::text, R"("")", Scope::user,
     "The NAME of the environment variable that holds the key, never the key itself."},
    {"model.apiKeyCommand", Type::text, R"("")", Scope::user,
     "A shell command that prints the key, for example `pass show openai`."},
    {"model.providers", Type::object, "{}", Scope::user,
     "What belongs to one provider, also when it is chosen later: {\"openai\": {\"endpoint\": …, "
     "\"apiKeyEnv\": …, \"apiKeyCommand\": …, \"apiVersion\": …}}."},
    {"model.insecureHosts", Type::list, "[]", Scope::user,
     "Hosts to which a key may go over plain http, for example [\"192.168.1.5\"]; this machine is "
     "always one."},
    {"agent.profile", Type::text, R"("auto")", Scope::folder,
     "How the model works: with tools, or with edit blocks in its text; `auto`: with tools if it "
     "has them; `explain` edits nothing.",
     "auto|tools|blocks|explain"},
    {"agent.maxTurns", Type::number, "25", Scope::user,
     "The most requests to the model in one ask; 0: no limit."},
    {"agent.maxTokens", Type::number, "0", Scope::user,
     "The most tokens, in and out, in one ask; 0: no limit."},
    {"agent.maxCostUsd", Type::number, "0", Scope::user,
     "The most that one ask may cost, in US dollars; a model whose price is not known is not asked "
     "then; 0: no limit."},
    {"agent.maxMinutes", Type::number, "0", Scope::user,
     "The most minutes that one ask may take before the model is asked once more; 0: no limit."},
    {"agent.maxRepairs", Type::number, "2", Scope::user,
     "How often the model may mend new problems that its own edits brought."},
    {"agent.repair", Type::text, R"("auto")", Scope::folder,
     "When an applied edit brings new problems: send them to the model, offer to, or leave them.",
     "auto|offer|off"},
    {"agent.permissions", Type::object, "{}", Scope::user,
     "What the model may do: {\"read\": \"ask\", \"edit\": {\"*\": \"allow\", \"db/**\": \"ask\", "
     "\"*.lock\": \"deny\"}}. Order means nothing: of the patterns that match, deny beats ask "
     "beats "
     "allow, and \"*\" counts only if no other matches. What is not named: `read` and `edit` are "
     "allowed (an edit is a proposal until you take it), `run` and `mcp` ask. What cannot be read "
     "is denied, and a question without an answer for ten minutes, too."},
    {"agent.commandTimeoutMs", Type::number, "30000", Scope::user,
     "How long a command that the model runs may take; the model can only ask for less."},
    {"edits.review", Type::text, R"("proposal")", Scope::user,
     "`proposal`: an edit waits until you take it; `direct`: it is applied at once, unless a check "
     "found something, or it changes anything but source code and prose: a file that runs commands "
     "or configures a program that does, a hidden, executable or generated one.",
     "proposal|direct"},
    {"verify.command", Type::list, "[]", Scope::user,
     "A program with its arguments, for example [\"make\", \"-j2\"], that checks every edit before "
     "you see it, in a sandbox; it runs the proposed code."},
    {"verify.commandTimeoutMs", Type::number, "60000", Scope::user,
     "How long verify.command may take; an edit that was not checked in time says so."},
    {"verify.timeoutMs", Type::number, "5000", Scope::folder,
     "How long the editor's language servers are waited for after an edit was applied."},
    {"workspace.trusted", Type::list, "[]", Scope::file,
     "The folders that you trust, each with all that is below it: elsewhere no program runs that "
     "the folder's files could steer, unless the editor says that you trust it."},
    {"sandbox.network", Type::text, R"("off")", Scope::user,
     "Whether what runs in the sandbox reaches the network.", "off|on"},
    {"sandbox.readable", Type::list, "[]", Scope::user,
     "Files and folders, for example [\"~/toolchains\", \"/data/models\"], that what runs in the "
     "sandbox can read although they lie in your home or elsewhere hidden; well-known tools and "
     "what is on PATH need not be named."},
    {"sandbox.caches", Type::list, "[]", Scope::user,
     "Folders that what runs in the sandbox can read and write in, besides the caches of "
     "well-known tools; what it writes is thrown away."},
    {"sandbox.environment", Type::list, "[]", Scope::user,
     "The NAMES of environment variables that what runs in the sandbox sees, besides PATH, HOME, "
     "the language, the terminal and the user's name."},
    {"log.level", Type::text, R"("info")", Scope::folder, "How much is logged.",
     "error|warning|info|debug"},
    {"server.path", Type::text, R"("")", Scope::client,
     "The bodkin program; empty: the one on PATH."},
    {"trace.server", Type::text, R"("off")", Scope::client,
     "Writes the messages between the editor and bodkin to the editor's log.",
     "off|messages|verbose"},
};

}  // namespace

std::span<const Setting> all_settings() { return kSettings; }

}  // namespace bodkin::lsp
