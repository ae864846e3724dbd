#include "lsp/handover/handover_messages.h"

#include <array>
#include <nlohmann/json.hpp>

#include "agent/history/history.h"
#include "agent/support/json.h"
#include "agent/support/wire_json.h"

namespace bodkin::handover {

namespace {

using nlohmann::json;

constexpr std::array kStates = {"applied", "refused", "unknown"};  // as in Answer::State

void set_text(json& object, const char* key, const std::optional<std::string>& text) {
  if (text) object[key] = *text;
}

std::optional<std::string> text_at(const json& object, const char* key) {
  const json& value = at(object, key);
  return value.is_string() ? std::optional(value.get<std::string>()) : std::nullopt;
}

bool flag_at(const json& object, const char* key) { return at(object, key) == true; }

}  // namespace

std::string line_of(const Request& request) {
  json object = {{"root", request.root}};
  if (!request.files) return text_of_json(object);
  json& files = object["files"] = json::array();
  for (const ChangedFile& file : *request.files) {
    json& one = files.emplace_back(json{{"path", file.path}, {"before", file.before->str()}});
    set_text(one, "to", file.rename_to);
    set_text(one, "after", file.after.transform(&Text::str));
  }
  if (!request.change.empty()) object["change"] = request.change;
  if (request.undoes) object["undoes"] = true;
  return text_of_json(object);
}

std::string line_of(const Seen& seen) {
  json object = {{"open", json::array()}, {"movesFiles", seen.moves_files}};
  for (const OpenFile& file : seen.open) {
    json& one = object["open"].emplace_back(json{{"path", file.path}});
    set_text(one, "text", file.unsaved);
    if (file.lost) one["lost"] = true;
  }
  return text_of_json(object);
}

std::string line_of(const Answer& answer) {
  return text_of_json({{"state", kStates[static_cast<size_t>(answer.state)]},
                       {"words", answer.words},
                       {"saved", answer.is_saved},
                       {"exact", answer.is_exact}});
}

std::optional<Request> request_of(std::string_view line) {
  const auto object = parse_object(line);
  if (!object) return std::nullopt;
  Request request{string_at(*object, "root"), std::nullopt};
  const json& files = at(*object, "files");
  if (files.is_null()) return request;
  if (!files.is_array() || files.empty()) return std::nullopt;
  request.files.emplace();
  if (const auto id = string_at(*object, "change"); is_change_id(id)) request.change = id;
  request.undoes = flag_at(*object, "undoes");
  for (const json& one : files) {
    auto before = text_at(one, "before");
    if (string_at(one, "path").empty() || !before) return std::nullopt;
    ChangedFile& file = request.files->emplace_back();
    file.path = string_at(one, "path");
    file.rename_to = text_at(one, "to");
    file.before = Text(*std::move(before));
    if (auto after = text_at(one, "after")) file.after = Text(*std::move(after));
  }
  return request;
}

std::optional<Seen> seen_of(std::string_view line) {
  const auto object = parse_object(line);
  if (!object || !at(*object, "open").is_array()) return std::nullopt;
  Seen seen{{}, flag_at(*object, "movesFiles")};
  for (const json& one : at(*object, "open"))
    seen.open.push_back({string_at(one, "path"), text_at(one, "text"), flag_at(one, "lost")});
  return seen;
}

std::optional<Answer> answer_of(std::string_view line) {
  const auto object = parse_object(line);
  if (!object) return std::nullopt;
  for (size_t i = 0; i < kStates.size(); ++i) {
    if (string_at(*object, "state") != kStates[i]) continue;
    return Answer{static_cast<Answer::State>(i), string_at(*object, "words"),
                  flag_at(*object, "saved"), flag_at(*object, "exact")};
  }
  return std::nullopt;
}

}  // namespace bodkin::handover
