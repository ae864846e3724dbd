// The Agent Client Protocol, version 1, as far as bodkin speaks it: the client's abilities, and the
// JSON of updates and answers (https://agentclientprotocol.com, schema/v1). Lines count from 1 and
// paths are absolute on the wire. Text from outside is made safe to show here. Pure.
#pragma once

#include <string>
#include <string_view>

#include "agent/rpc/connection.h"
#include "agent/rpc/lsp_structs.h"
#include "agent/support/task.h"
#include "edits/plan/report.h"
#include "lsp/sessions/verification.h"

namespace bodkin::acp {

using rpc::flag_member;
using rpc::Json;
using rpc::member;
using rpc::text_member;

// Cancelled requests are answered with -32800.
inline constexpr rpc::Protocol kAcp{rpc::Framing::lines, "$/cancel_request", "requestId", true};
inline constexpr int kVersion = 1;

struct ClientAbilities {
  std::string name;  // of clientInfo
  bool reads_files = false, writes_files = false;
  bool has_forms = false;  // elicitation in the mode "form"

  // Shows writes through its fs/write_text_file for review, and merges them into the buffer.
  bool reviews_writes() const { return name == "zed" && writes_files; }
};
ClientAbilities abilities_of(const Json& initialize);
Json initialize_result();

Json text_block(std::string_view text);
Json text_content(std::string_view text);  // of a tool call
// A call's title, in one line. Clients may show Markdown, so the command that it names is code.
std::string title_text(std::string_view title);
Json option(const char* id, const char* name, const char* kind);  // of a permission

// Updates.
Json message_chunk(const char* kind, std::string_view text, const std::string& message_id);
// kind, by the name of the tool: read | edit | search | execute | other.
const char* kind_of_tool(std::string_view tool);

// The first line of each changed place, in the new text.
Json locations_of(const ChangedFile& file, const std::string& absolute);
const char* kind_of(const ChangedFile& file);   // edit | delete | move
std::string title_of(const ChangedFile& file);  // "Edit a.cpp", "Delete a.cpp"
// {"state", "by", "found", "problems"}: the value of _meta["bodkin/verification"].
Json json_of(const Verification& verification);

std::string utc_time(int64_t milliseconds);  // ISO 8601; of 1970

}  // namespace bodkin::acp
