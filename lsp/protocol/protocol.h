// The protocol's structures that the server reads, typed. Decoding is the only place where
// nlohmann's exceptions can come from; `decode` turns them into an Error.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agent/rpc/connection.h"
#include "agent/rpc/position.h"

namespace bodkin::lsp {

struct TextDocumentItem {
  std::string uri, language_id, text;
  int64_t version = 0;
};
struct ContentChange {
  std::optional<Range> range;  // nothing: `text` is the whole document
  std::string text;
};
struct DidChangeParams {
  std::string uri;
  std::optional<int64_t> version;
  std::vector<ContentChange> changes;
};
struct WorkspaceFolder {
  std::string uri, name;
};
struct CodeActionParams {
  std::string uri;
  Range range;
  Json diagnostics = Json::array();  // as the client sent them: they go back to it unchanged
  std::vector<std::string> only;
  bool automatic = false;  // triggerKind 2
};
struct DiagnosticsParams {  // bodkin/didChangeDiagnostics
  std::string uri;
  std::optional<int64_t> document_version;
  int64_t sequence = 0;
  Json diagnostics = Json::array();
  bool complete = true;
  std::optional<std::vector<std::string>> servers;  // the language servers that look at it
  // Those of them that have published for this version.
  std::optional<std::vector<std::string>> reported;
};

void from_json(const Json& json, Position& value);
void from_json(const Json& json, Range& value);
void from_json(const Json& json, TextDocumentItem& value);
void from_json(const Json& json, ContentChange& value);
void from_json(const Json& json, DidChangeParams& value);
void from_json(const Json& json, WorkspaceFolder& value);
void from_json(const Json& json, CodeActionParams& value);
void from_json(const Json& json, DiagnosticsParams& value);
void to_json(Json& json, const Position& value);
void to_json(Json& json, const Range& value);

// Never throws. The error says what is missing or of the wrong type.
template <class T>
Result<T> decode(const Json& json) {
  try {
    return json.get<T>();
  } catch (const Json::exception& error) {
    return fail(Error::Code::invalid_input, std::string("Invalid parameters: ") + error.what());
  }
}

// Members that may be missing or of another type: then the value is empty.
const Json& member(const Json& object, std::string_view path);  // "a.b.c"; null if it is not there
std::string text_member(const Json& object, std::string_view path);
bool flag_member(const Json& object, std::string_view path);

}  // namespace bodkin::lsp
