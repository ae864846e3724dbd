// A reply that the user watches while it comes in.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "agent/models/model.h"

namespace bodkin {

struct Watching {
  bool edits = false;                    // each edit block is reported as soon as it is complete
  const std::vector<std::string>& tags;  // of the dialect; they are not shown
  std::string& text;                     // gets what has come in, also if the reply breaks off
};

// Blocks until the reply has ended; none of its edits is used before that. Errors: as
// respond_whole().
std::expected<ModelReply, ModelError> respond_watched(Model& model, const ModelRequest& request,
                                                      const Watching& watching, const Task& task);

}  // namespace bodkin
