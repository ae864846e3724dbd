// Images that the user attaches: from the file to what a model is sent.
#pragma once

#include <string>
#include <string_view>

#include "agent/models/model.h"

namespace bodkin {

// Every provider accepts this much (Anthropic's limit of 5 MB applies to the base64 text).
constexpr size_t kMaxImage = 3'750'000;  // bytes

// "image/png": recognizes PNG, JPEG, GIF and WebP by their first bytes; empty: anything else. All
// providers accept these, except that Gemini refuses GIF. File names are ignored.
std::string_view image_type(std::string_view bytes);
bool is_image_file(const std::string& file);

// Blocks. `file`: a path on disk. Errors, for the user: not_found, invalid_input (not an image, too
// large).
Result<ImageBlock> load_image(const std::string& file);

}  // namespace bodkin
