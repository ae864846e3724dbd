#include "agent/sandbox/sandbox_files.h"
#include "agent/support/read_file.h"

namespace bodkin {

IgnoreLists ignore_lists_on_disk(const std::string& folder,
                                 const std::vector<std::string>& folders) {
  constexpr size_t kMaxList = 1 << 20;  // bytes
  return {folder, folders,
          [](const std::string& each) { return read_file(each + "/.bodkinignore", kMaxList); }};
}

}  // namespace bodkin
