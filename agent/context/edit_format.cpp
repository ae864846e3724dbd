#include "agent/context/edit_format.h"

#include <algorithm>

#include "agent/support/embedded.h"

namespace bodkin {

const std::vector<EditFormat>& edit_formats() {
  static const std::vector<EditFormat> kFormats = [] {
    constexpr std::string_view kFolder = "context/formats/", kEnd = ".md";
    std::vector<EditFormat> formats;
    for (const EmbeddedText& file : embedded_texts()) {
      if (!file.name.starts_with(kFolder)) continue;
      std::string_view name = file.name;
      name.remove_prefix(kFolder.size());
      name.remove_suffix(kEnd.size());
      formats.push_back({name, file.text});
    }
    return formats;
  }();
  return kFormats;
}

const EditFormat* find_edit_format(std::string_view name) {
  const auto found = std::ranges::find(edit_formats(), name, &EditFormat::name);
  return found == edit_formats().end() ? nullptr : &*found;
}

}  // namespace bodkin
