// Arguments: the one object that a command or a request of our own takes, decoded once and typed.
// What is malformed is an error that says what was expected, and nothing happens: an argument that
// is misread as "none" would mean all of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/protocol/protocol.h"

namespace bodkin::lsp {

// The members that there are; each method names those that it takes. Texts that may not be empty
// are empty where they were not given.
struct Arguments {
  std::string ask_id, session_id, proposal_id, question_id;  // never empty if given
  std::string uri;                                           // of textDocument, or uri
  std::optional<Range> range;                                // start <= end
  std::string prompt;                                        // may be empty
  std::optional<size_t> offset;                              // of text, in units of the encoding
  std::string text, profile, provider, name, endpoint;
  std::string choice;                        // once | always | reject | show
  std::optional<std::vector<size_t>> hunks;  // of hunks or hunk; each once, not empty
  std::vector<std::string> attachments;      // URIs
  std::optional<Json> diagnostics;           // an array that is not empty
};

// `takes`: "proposalId, hunks?": the members, those with `?` may be missing. `given` may be null or
// missing where all may. Error: invalid_input, one sentence that begins with `method`.
Result<Arguments> arguments_of(std::string_view method, std::string_view takes, const Json& given);

// The one argument in the params of workspace/executeCommand. Error: as above.
Result<Json> argument_in(std::string_view command, const Json& params);

}  // namespace bodkin::lsp
