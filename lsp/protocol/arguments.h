// Arguments: the object that one of our own commands or requests takes, decoded once and typed.
// Malformed arguments are an error that says what was expected, and nothing happens: misreading a
// list of hunks as "none given" would mean all of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/protocol/protocol.h"

namespace bodkin::lsp {

// All members; each method names those that it takes. Texts that may not be empty are empty if they
// were not given.
struct Arguments {
  std::string ask_id, session_id, proposal_id, question_id;  // never empty if given
  std::string uri;                                           // of textDocument, or uri
  std::optional<Range> range;                                // start <= end
  std::string prompt;                                        // may be empty
  std::optional<size_t> offset;                              // of text, in units of the encoding
  std::string text, profile, effort, provider, name, endpoint;
  std::string choice;   // once | session | workspace | reject | show; also always
  std::string reason;   // may be empty
  std::string mode;     // agent/ask/mode.h
  bool queues = false;  // whenBusy: queue
  std::optional<std::vector<size_t>> hunks;  // of hunks or hunk; distinct, not empty
  std::vector<std::string> attachments;      // URIs
  std::optional<Json> diagnostics;           // an array that is not empty
};

// `takes`: the members, "proposalId, hunks?"; those with `?` are optional. `given` may be null if
// all are. Error: invalid_input, one sentence that begins with `method`.
Result<Arguments> arguments_of(std::string_view method, std::string_view takes, const Json& given);

// The single argument in the params of workspace/executeCommand. Error: as above.
Result<Json> argument_in(std::string_view command, const Json& params);

}  // namespace bodkin::lsp
