#include "agent/models/image.h"

#include "agent/support/read_file.h"

namespace bodkin {
namespace {

std::string base64_of(std::string_view bytes) {
  constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k)
      group = group << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0);
    for (size_t k = 0; k < 4; ++k) text += k <= count ? kLetters[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

}  // namespace

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
