// bodkin context FILE:LINE[:COLUMN] [--json] [--root DIR [--untrusted]]
#include <fmt/core.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "agent/loop/run.h"
#include "agent/platform/paths.h"
#include "agent/rpc/uri.h"
#include "agent/support/json.h"
#include "agent/support/program.h"
#include "agent/support/read_file.h"
#include "agent/support/shown_text.h"
#include "agent/workspace/secrets.h"
#include "edits/text/pieces.h"
#include "grammars/context.h"
#include "lsp/cli/commands.h"
#include "lsp/cli/print_refusal.h"
#include "lsp/workspace/editor_workspace.h"
#include "lsp/workspace/indexer.h"

namespace bodkin {
namespace {

using nlohmann::json;

constexpr size_t kMaxShown = size_t{1} << 30;
constexpr size_t kBudget = 24'000;  // bytes, about 6,000 tokens

struct Place {
  std::string file;
  size_t line = 0;  // from 0
};

// "x:12" -> x and 12. A number is from 1.
std::optional<std::pair<std::string_view, size_t>> split_number(std::string_view place) {
  size_t colon = place.rfind(':');
  if (colon == place.npos || colon == 0) return std::nullopt;
  const auto number = whole_number(place.substr(colon + 1));
  return number.value_or(0) == 0 ? std::nullopt
                                 : std::optional(std::pair(place.substr(0, colon), *number));
}

std::optional<Place> parse_place(std::string_view place) {
  auto last = split_number(place);
  if (!last) return std::nullopt;
  // Strips the column, which is not needed, unless there is a file with that name.
  auto before = split_number(last->first);
  std::error_code error;
  if (before && !std::filesystem::exists(last->first, error)) last = before;
  return Place{std::string(last->first), last->second - 1};
}

// The whole first prompt for the place in this workspace, with the declarations it uses and the
// repository map. Waits for the index.
Result<std::string> whole_prompt(const Place& place, const std::string& root, bool trusted) {
  std::error_code error;
  const std::string folder = os::text_of(os::canonical(root, error));
  if (error) return fail(Error::Code::not_found, root + " is not a folder.");
  const std::string file = os::text_of(os::canonical(place.file, error));
  never_run_from(folder);
  lsp::Documents documents;
  documents.add_folder({lsp::uri_of_path(folder), "workspace"});
  lsp::Indexer indexer(lsp::default_cache_folder(), lsp::Indexer::Priority::normal);
  indexer.set_roots(documents.roots(), trusted);
  indexer.wait({});
  lsp::EditorWorkspace workspace(documents, indexer.index(), trusted);
  Ask ask;
  ask.prompt = "…";
  ask.selection = Selection{documents.path_of(lsp::uri_of_path(file)), {place.line, place.line}};
  auto prompt = prompt_for(ask, workspace, {}, {});
  if (!prompt) return std::unexpected(prompt.error());
  if (!prompt->withheld.empty()) say_as("context", prompt->withheld);
  return std::move(prompt->text);
}

json json_of(const Symbol& symbol) {
  return {{"name", symbol.name},
          {"kind", name_of(symbol.kind)},
          {"start_line", symbol.lines.begin + 1},
          {"end_line", symbol.lines.end}};
}

json json_of(const ContextPart& part) {
  constexpr std::string_view kWhy[] = {"symbol", "imports", "signature", "definition", "place"};
  return {{"why", kWhy[static_cast<size_t>(part.why)]},
          {"start_line", part.lines.begin + 1},
          {"end_line", part.lines.end}};
}

}  // namespace

int context_command(const ContextCommand& options) {
  const auto refuse = [](const std::string& why, int code = 1) {
    say_as("context", why);
    return code;
  };
  std::optional<Place> place = parse_place(options.place);
  if (!place)
    return refuse(fmt::format("\"{}\" is not FILE:LINE (lines are counted from 1)", options.place),
                  2);
  auto bytes = read_file(place->file, kMaxShown);
  if (!bytes) return refuse(bytes.error().message);
  Text text(*std::move(bytes));
  if (place->line >= text.line_count()) {
    const bool last_is_empty = text.line_count() > 1 && text.line(text.line_count() - 1).empty();
    return refuse(place->file + " has only " + counted(text.line_count() - last_is_empty, "line"));
  }

  std::string prompt;
  if (!options.root.empty()) {
    auto whole = whole_prompt(*place, options.root, !options.untrusted);
    if (!whole) return refuse(whole.error().message);
    prompt = std::move(*whole);
    if (!options.json) {
      put_bytes(stdout, fmt::format("{}\n", prompt));
      return 0;
    }
  }

  LineRange lines{place->line, place->line + 1};
  const Language* language = language_of(place->file, text.substr(0, 200));
  Context context;
  std::string note;
  if (!language) {
    context = context_of(text, lines, kBudget);
    note = "Unknown language; showing the surrounding lines.";
  } else if (auto tree = SyntaxTree::parse(*language, text); !tree) {
    context = context_of(text, lines, kBudget);
    note = tree.error().message;
  } else {
    context = context_of(*tree, outline(*tree), lines, kBudget);
  }

  std::string shown = hide_secrets(render(text, context));
  if (!options.json) {
    if (!note.empty()) say_as("context", note);
    put_bytes(stdout, fmt::format("{}", shown));
    return 0;
  }
  json around = json::array(), parts = json::array();
  for (const Symbol& symbol : context.around) around.push_back(json_of(symbol));
  for (const ContextPart& part : context.parts) parts.push_back(json_of(part));
  json result = {{"language", language ? json(language->id) : json()},
                 {"symbol", context.symbol ? json_of(*context.symbol) : json()},
                 {"around", std::move(around)},
                 {"parts", std::move(parts)},
                 {"text", std::move(shown)}};
  if (!note.empty()) result["note"] = note;
  if (!prompt.empty()) result["prompt"] = prompt;
  put_bytes(stdout, fmt::format("{}\n", text_of_json(result)));
  return 0;
}

}  // namespace bodkin
