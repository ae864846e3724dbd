// bodkin context FILE:LINE [--json]
#include <fmt/core.h>

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "grammars/context.h"
#include "lsp/commands.h"

namespace bodkin {
namespace {

using nlohmann::json;

constexpr size_t kBudget = 24'000;  // bytes, about 6,000 tokens

struct Place {
  std::string file;
  size_t line = 0;  // from 0
};

std::optional<Place> parse_place(std::string_view place) {
  size_t colon = place.rfind(':');
  if (colon == place.npos || colon == 0) return std::nullopt;
  std::string_view digits = place.substr(colon + 1);
  size_t line = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), line);
  if (error != std::errc() || end != digits.data() + digits.size() || line == 0)
    return std::nullopt;
  return Place{std::string(place.substr(0, colon)), line - 1};
}

json json_of(const Symbol& symbol) {
  return {{"name", symbol.name},
          {"kind", name_of(symbol.kind)},
          {"start_line", symbol.lines.begin + 1},
          {"end_line", symbol.lines.end}};
}

json json_of(const ContextPart& part) {
  constexpr std::string_view kWhy[] = {"symbol", "imports", "signature", "place"};
  return {{"why", kWhy[static_cast<size_t>(part.why)]},
          {"start_line", part.lines.begin + 1},
          {"end_line", part.lines.end}};
}

}  // namespace

int context_command(const ContextCommand& options) {
  std::optional<Place> place = parse_place(options.place);
  if (!place) {
    fmt::print(stderr, "bodkin context: \"{}\" is not FILE:LINE with a line from 1\n",
               options.place);
    return 2;
  }
  std::error_code error;
  std::ifstream file(place->file, std::ios::binary);
  if (!file || !std::filesystem::is_regular_file(place->file, error)) {
    fmt::print(stderr, "bodkin context: {} cannot be read\n", place->file);
    return 1;
  }
  Text text(std::string(std::istreambuf_iterator<char>(file), {}));
  if (place->line >= text.line_count()) {
    fmt::print(stderr, "bodkin context: {} has only {} lines\n", place->file, text.line_count());
    return 1;
  }

  LineRange lines{place->line, place->line + 1};
  const Language* language = language_of(place->file, text.substr(0, 200));
  Context context;
  std::string note;
  if (!language) {
    context = context_of(text, lines, kBudget);
    note = "The language is not known; these are the lines around the place.";
  } else if (auto tree = SyntaxTree::parse(*language, text); !tree) {
    context = context_of(text, lines, kBudget);
    note = tree.error().message;
  } else {
    context = context_of(*tree, outline(*tree), lines, kBudget);
  }

  std::string shown = render(text, context);
  if (!options.json) {
    if (!note.empty()) fmt::print(stderr, "bodkin context: {}\n", note);
    fmt::print("{}", shown);
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
  fmt::print("{}\n", result.dump(-1, ' ', false, json::error_handler_t::replace));
  return 0;
}

}  // namespace bodkin
