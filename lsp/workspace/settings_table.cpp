// The settings, with what each means.
#include "lsp/workspace/settings.h"

namespace bodkin::lsp {

namespace {

using Type = Setting::Type;
using Scope = Setting::Scope;

// Decides: which settings there are.
constexpr Setting kSettings[] = {
    {"model.provider", Type::text, R"("auto")", Scope::user, "The provider of the model.",
     "auto|editor|anthropic|openai|openai-responses|openai-chat|gemini|openrouter|"
     "deepseek|mistral|groq|azure|azure-responses|ollama|lmstudio|llama.cpp|vllm|openai-compatible|"
     "replay",
     "The first that is available: an API key in the environment, a model server on this "
     "machine, the editor's own model.|"
     "The editor's own model.|"
     "Anthropic, at api.anthropic.com.|"
     "OpenAI, at api.openai.com.|"
     "OpenAI, always with its Responses API.|"
     "OpenAI, always with its older Chat Completions API.|"
     "Google Gemini.|"
     "OpenRouter.|"
     "DeepSeek.|"
     "Mistral.|"
     "Groq.|"
     "Azure OpenAI, at the address in model.endpoint.|"
     "Azure OpenAI, for newer models, which can use tools only there.|"
     "Ollama, on this machine unless model.endpoint says otherwise.|"
     "LM Studio, likewise.|"
     "llama.cpp's server, likewise.|"
     "vLLM, likewise.|"
     "Any other server with OpenAI's API, at the address in model.endpoint.|"
     "Prepared replies, for tests: model.name is their file.",
     true},
    {"model.name", Type::text, R"("")", Scope::user,
     "The model's name as its provider spells it; empty for the provider's default."},
    {"model.endpoint", Type::text, R"("")", Scope::user,
     "The address of the model server, if it is not the provider's own. Your code is sent there. "
     "Without a scheme it is https, or http on this machine."},
    {"model.apiVersion", Type::text, R"("")", Scope::user,
     "The version of the provider's API, if it has several: the date of Anthropic's or Azure's, "
     "or Gemini's `v1` or `v1beta`; empty for the default."},
    {"model.apiKeyEnv", Type::text, R"("")", Scope::user,
     "The NAME of the environment variable that holds the API key, never the key itself."},
    {"model.apiKeyCommand", Type::text, R"("")", Scope::user,
     "A shell command that prints the API key, for example `pass show openai`."},
    {"model.providers", Type::object, "{}", Scope::user,
     "Addresses and keys of several providers, each used when that provider is chosen: "
     "{\"openai\": {\"endpoint\": …, \"apiKeyEnv\": …, \"apiKeyCommand\": …, \"apiVersion\": …}}."},
    {"model.insecureHosts", Type::list, "[]", Scope::user,
     "Hosts that an API key can be sent to over plain http, for example [\"192.168.1.5\"]; this "
     "machine is always allowed."},
    {"model.effort", Type::text, R"("auto")", Scope::user, "How long the model may think.",
     "auto|none|low|medium|high|max",
     "As long as it does by itself.|Not at all, or as little as it can.|Briefly.|Longer.|"
     "Long.|As long as it can."},
    {"model.retrySeconds", Type::number, "180", Scope::user,
     "How many seconds an overloaded server is waited for; 0 for two quick retries."},
    {"model.draft", Type::object, "{}", Scope::user,
     "A second, faster model that writes out what the main model shortens with the profile "
     "`draft`: {\"provider\": …, \"endpoint\": …, \"name\": …, \"temperature\": …, \"prompt\": …}. "
     "Whatever is left out is the same as for the main model. Your code is sent there. `prompt` "
     "replaces its built-in instructions."},
    {"model.small", Type::object, "{}", Scope::user,
     "A cheap model that gives each session a title: {\"provider\": …, \"endpoint\": …, "
     "\"name\": …}. Whatever is left out is the same as for the main model. It is sent the "
     "session's first request. Without it, the title is the first words of the request."},
    {"agent.profile", Type::text, R"("auto")", Scope::folder,
     "How the model works. Profiles of your own are chosen by name; `bodkin settings --profiles` "
     "lists all.",
     "auto|tools|blocks|draft|shell|plan|explain",
     "With tools if the model can use them and no edit format is chosen, else with edits in its "
     "text.|"
     "With tools that read, search, edit and run commands.|"
     "With edits in its text; for models that cannot use tools.|"
     "With tools; it writes edits in short, and model.draft merges them.|"
     "With shell commands alone, in the sandbox.|"
     "It reads, then writes a plan, and edits nothing.|"
     "It answers, and edits nothing.",
     true},
    {"agent.mode", Type::text, R"("confirm")", Scope::user, "Who acts: the model or you.",
     "confirm|auto|human|plan",
     "Edits wait until you apply them, and bodkin asks before commands run.|"
     "Edits in which no check found a problem are applied, and commands run in the sandbox "
     "unless agent.permissions says otherwise.|"
     "You type the commands and edits yourself; no model is asked.|"
     "The model writes a plan and edits nothing."},
    {"agent.contextWindow", Type::number, "0", Scope::user,
     "How many tokens a request and its reply may have together; 0 for the model's own limit, if "
     "known. What no longer fits is shortened, then summarized by the model."},
    {"agent.dialect", Type::text, R"("auto")", Scope::folder,
     "Which tools the model is offered. Many models work best with those they were trained with; "
     "bodkin carries out each with its own.",
     "auto|codex|opencode|claude|anthropic|openhands|cursor|workflow",
     "By the model's name; bodkin's own for an unknown model.|"
     "Codex.|"
     "opencode.|"
     "Claude Code.|"
     "Anthropic's text editor tool.|"
     "OpenHands.|"
     "Cursor.|"
     "Tools that hand over a whole workflow."},
    {"agent.editFormat", Type::text, R"("auto")", Scope::folder,
     "How the model is told to write edits in its text. It may use any of them. If you choose "
     "one, the model gets no tools unless agent.profile says so.",
     "auto|diff|diff-fenced|udiff|patch|whole|editor-diff|editor-whole",
     "By the model's name.|"
     "Blocks of old and new lines.|"
     "Such blocks, with the path inside.|"
     "Unified diffs.|"
     "Codex's patches.|"
     "Whole files.|"
     "Blocks, with short instructions: for a change that another model has planned.|"
     "Whole files, with short instructions: likewise."},
    {"agent.maxTurns", Type::number, "25", Scope::user,
     "How many times the model may be called for one request; 0 for no limit."},
    {"agent.maxTokens", Type::number, "0", Scope::user,
     "How many tokens one request may use, in and out; 0 for no limit."},
    {"agent.maxCostUsd", Type::number, "0", Scope::user,
     "What one request may cost, in US dollars; 0 for no limit. With a limit, bodkin asks before "
     "it uses a model of unknown price."},
    {"agent.maxCostUsdPerDay", Type::number, "0", Scope::user,
     "What all requests since midnight may cost, in US dollars; 0 for no limit. Counted while "
     "this is set. bodkin asks before it uses a model of unknown price."},
    {"agent.maxMinutes", Type::number, "0", Scope::user,
     "How many minutes one request may take; 0 for no limit. After that the model is not called "
     "again."},
    {"agent.maxRepairs", Type::number, "2", Scope::user,
     "How many times per request the model is sent new problems that its own edits caused."},
    {"agent.repair", Type::text, R"("offer")", Scope::folder,
     "What happens when an applied edit causes new problems.", "auto|offer|off",
     "They are sent to the model.|bodkin offers to send them to the model.|Nothing."},
    {"agent.permissions", Type::object, "{}", Scope::user,
     "What the model may do: {\"read\": \"ask\", \"edit\": {\"*\": \"allow\", \"db/**\": "
     "\"ask\", \"*.lock\": \"deny\"}}. Without a rule, `read` and `edit` are allowed (an edit "
     "still waits until you apply it), and `run` and `mcp` ask. Of several rules that match, "
     "deny beats ask beats allow; \"*\" counts only where no other matches. A rule that cannot "
     "be read denies, and so does a question left unanswered for ten minutes."},
    {"agent.commandTimeoutMs", Type::number, "30000", Scope::user,
     "Time limit for a command that the model runs, in milliseconds; the model can only ask for "
     "less."},
    {"agent.mcpServers", Type::object, "{}", Scope::file,
     "MCP servers whose tools the model may call, after asking you: {\"docs\": {\"command\": "
     "\"docs-mcp\", \"args\": [\"--stdio\"], \"env\": {\"LEVEL\": \"2\"}, \"environment\": "
     "[\"DOCS_TOKEN\"], \"network\": true, \"readable\": [\"~/docs\"]}}. Each runs in a sandbox of "
     "its own, without the network, your files and your environment, except for what it is given "
     "here; `\"sandbox\": false` runs it as you. A server reached by HTTP has a \"url\" and "
     "\"headers\", in which ${NAME} is a variable of yours."},
    {"history.retentionDays", Type::number, "30", Scope::user,
     "How many days the history keeps a session after it was last used; 0 keeps no history."},
    {"history.maxMegabytes", Type::number, "500", Scope::user,
     "How large the history may become, in megabytes, before its oldest sessions are removed; 0 "
     "for no limit."},
    {"edits.review", Type::text, R"("proposal")", Scope::user,
     "Whether edits wait until you apply them.", "proposal|direct",
     "They wait.|"
     "They are applied at once, unless a check found a problem or the file can run something or "
     "is hidden, executable or generated."},
    {"files.encoding", Type::text, R"("")", Scope::folder,
     "The encoding of files that are not UTF-8, if .editorconfig names none; empty: the editor's."},
    {"verify.command", Type::list, "[]", Scope::user,
     "A program with its arguments, for example [\"make\", \"-j2\"], that checks every edit before "
     "you see it. It runs the proposed code, in a sandbox."},
    {"verify.commandTimeoutMs", Type::number, "60000", Scope::user,
     "Time limit for verify.command, in milliseconds; an edit that was not checked in time is "
     "marked as not checked."},
    {"verify.servers", Type::object, "{}", Scope::file,
     "Language servers that check an edit before you see it, by language or by their own name, "
     "for example {\"cpp\": {\"command\": [\"clangd-18\"]}}. An empty command turns a server off; "
     "\"*\" is all others, which are otherwise found on PATH. A server that bodkin does not know "
     "can only find problems, never rule them out, unless \"complete\": true says that it "
     "publishes all problems of a text at once."},
    {"verify.serverTimeoutMs", Type::number, "30000", Scope::user,
     "How long a language server that checks an edit may take to start and give its first answer, "
     "in milliseconds. Later answers get less, depending on how fast it was. What is not answered "
     "in time counts as not checked."},
    {"suggest.nextEdits", Type::text, R"("on")", Scope::user,
     "Whether next edits are offered: what your last edit implies elsewhere in the file, without a "
     "model, and what suggest.model predicts.",
     "on|off|tab",
     "They are, and a key of their own takes them.|They are not.|"
     "They are, and in VS Code Tab takes them, too."},
    {"suggest.model", Type::object, "{}", Scope::user,
     "A model that predicts your next edit; off until it is set: {\"provider\": …, "
     "\"endpoint\": …, \"name\": …, \"format\": …}. Whatever is left out is the same as for the "
     "main model. The code around the cursor is sent there whenever you pause. `format`: zeta, "
     "sweep, fim (fill in the middle), chat, or auto, by the model's name."},
    {"suggest.checkMs", Type::number, "150", Scope::user,
     "How many milliseconds a predicted edit waits for the checkers of its language. What they "
     "call wrong is not shown."},
    {"verify.showAfterMs", Type::number, "3000", Scope::user,
     "After how many milliseconds an edit is shown although its check has not ended; the verdict "
     "follows."},
    {"verify.timeoutMs", Type::number, "5000", Scope::folder,
     "How long to wait for the editor's own language servers after an edit was applied, in "
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
    {"log.level", Type::text, R"("info")", Scope::folder, "How much is logged.",
     "error|warning|info|debug"},
    {"server.path", Type::text, R"("")", Scope::client,
     "The path of the bodkin program; empty for the one that came with the extension, else the "
     "one on PATH."},
    {"trace.server", Type::text, R"("off")", Scope::client,
     "Whether the messages between the editor and bodkin are logged.", "off|messages|verbose",
     "No.|Their names.|All of them."},
};

}  // namespace

std::span<const Setting> all_settings() { return kSettings; }

}  // namespace bodkin::lsp
