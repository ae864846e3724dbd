// Messages as the history keeps them: one part per block, with its long text apart.
#pragma once

#include <optional>
#include <string>

#include "agent/models/model.h"

namespace bodkin {

struct MessagePart {
  std::string kind;               // text | thinking | call | result | image
  std::string text;               // of text and thinking
  std::string content;            // a call's arguments as JSON, a result, an image in base64
  nlohmann::json data = nullptr;  // everything else
};

// The part without its secrets. A value that a provider wants back verbatim is dropped if it holds
// one.
MessagePart part_of(const Block& block);
// Nullopt if it is damaged, or of an unknown kind.
std::optional<Block> block_of(const MessagePart& part);

}  // namespace bodkin
