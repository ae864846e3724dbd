// A prompt of the protocol (content blocks) as a request: its words, and the files, lines and
// images that it refers to, in the forms that editors write.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "agent/rpc/connection.h"
#include "agent/support/temporary_folder.h"
#include "agent/workspace/workspace.h"
#include "lsp/acp/client_files.h"
#include "lsp/sessions/ask_request.h"

namespace bodkin::acp {

struct Prompt {
  AskRequest request;
  std::vector<std::string> notes;           // for the user: what was left out
  std::shared_ptr<TemporaryFolder> images;  // outlives the ask; null if there are none
  std::string typed;                        // the first text, as it came: what the user has typed
  AttachedTexts unsaved;                    // what the editor has of files, unlike the disk
};

// Text; resource_link and resource; image. The text of a resource is shown as it was given, unless
// it is what the disk has of a file: then that file is attached. A link is a file,
// "file:///a.c#L10:20" its lines (from 1), "file:///a.c?symbol=Name#L1:9" a declaration, a folder,
// and "zed:///agent/git-diff" our @diff; so Zed writes them (crates/acp_thread, mention.rs).
// "Sharing the following file as context: PATH" is codecompanion's. Private files are never shown,
// however they are spelled. `given`: the workspace's folder as the editor names it. Errors
// (invalid_input, for the client): no array of blocks, a block without its members.
Result<Prompt> read_prompt(const rpc::Json& blocks, Workspace& workspace, const Roots& given);

}  // namespace bodkin::acp
