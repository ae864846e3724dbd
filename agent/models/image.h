// Image: a picture that a person attaches, from its file to what a model is sent.
#pragma once

#include <string>
#include <string_view>

#include "agent/models/model.h"

namespace bodkin {

// In base64 this is what every provider takes (Anthropic's 5 MB are counted after the encoding).
constexpr size_t kMaxImage = 3'750'000;  // bytes

// "image/png", by the first bytes of PNG, JPEG, GIF and WebP, which all providers take but for
// Gemini and GIF; empty: something else. A file's name says nothing.
std::string_view image_type(std::string_view bytes);
bool is_image_file(const std::string& file);

// Blocks. `file` is on disk. Errors, for the user: not_found, invalid_input (no image, too large).
Result<ImageBlock> load_image(const std::string& file);

}  // namespace bodkin
