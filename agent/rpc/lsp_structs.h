// The LSP structures that both the server (lsp/) and a client of a language server use, and how
// params are decoded. nlohmann's exceptions are thrown only while decoding, and `decode` turns them
// into an Error.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/rpc/position.h"
#include "edits/text/result.h"

namespace bodkin::rpc {

using Json = nlohmann::json;

struct TextDocumentItem {  // of textDocument/didOpen
  std::string uri, language_id, text;
  int64_t version = 0;
};

struct PublishedDiagnostic {
  Range range;
  int severity = 1;  // 1 error, 2 warning, 3 information, 4 hint; 1 if none was given
  std::string message, source, code;
};

struct PublishDiagnosticsParams {  // textDocument/publishDiagnostics
  std::string uri;
  std::optional<int64_t> version;  // of the document they are for, if the server says so
  std::vector<PublishedDiagnostic> diagnostics;
};

// Decodes a list of LSP's Diagnostic, without those that have no valid range.
std::vector<PublishedDiagnostic> published_diagnostics(const Json& list);

void from_json(const Json& json, Position& value);
void from_json(const Json& json, Range& value);
void from_json(const Json& json, TextDocumentItem& value);
void from_json(const Json& json, PublishDiagnosticsParams& value);
void to_json(Json& json, const Position& value);
void to_json(Json& json, const Range& value);
void to_json(Json& json, const TextDocumentItem& value);

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
std::optional<int64_t> version_at(const Json& object, const char* key);

}  // namespace bodkin::rpc
