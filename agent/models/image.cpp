#include "agent/models/image.h"

#include "agent/support/base64.h"
#include "agent/support/read_file.h"

namespace bodkin {

std::string_view image_type(std::string_view bytes) {
  if (bytes.starts_with("\x89PNG\r\n\x1A\n")) return "image/png";
  if (bytes.starts_with("\xFF\xD8\xFF")) return "image/jpeg";
  if (bytes.starts_with("GIF87a") || bytes.starts_with("GIF89a")) return "image/gif";
  if (bytes.starts_with("RIFF") && bytes.size() >= 12 && bytes.substr(8, 4) == "WEBP")
    return "image/webp";
  return {};
}

bool is_image_file(const std::string& file) {
  const auto bytes = read_start_of_file(file, 12);
  return bytes && !image_type(*bytes).empty();
}

Result<ImageBlock> load_image(const std::string& file) {
  const auto read = read_start_of_file(file, kMaxImage + 1);
  if (!read) return std::unexpected(read.error());
  const std::string& bytes = *read;
  const std::string_view type = image_type(bytes);
  if (type.empty())
    return fail(Error::Code::invalid_input, file + " is not a PNG, JPEG, GIF or WebP image.");
  if (bytes.size() > kMaxImage)
    return fail(Error::Code::invalid_input,
                file + " is larger than 3.75 MB: attach a smaller image.");
  return ImageBlock{std::string(type), base64_of(bytes)};
}

}  // namespace bodkin
