#include "lsp/cli/standard_input.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>

#include "agent/platform/file_descriptor.h"
#include "agent/support/read_file.h"

namespace bodkin {

void read_keys_of_terminal() {
  const FileDescriptor terminal(os::open("/dev/tty", O_RDWR | O_CLOEXEC));
  if (terminal) ::dup2(terminal.number(), 0);
}

bool is_read_by_a_shell(const os::FileStatus& pipe) {
  constexpr std::string_view kShells[] = {"sh",   "bash", "dash", "zsh",    "ksh",
                                          "mksh", "fish", "ash",  "busybox"};
  int process = ::getppid();
  for (int most = 16; most > 0 && process > 1; --most) {
    const std::string folder = "/proc/" + std::to_string(process);
    os::FileStatus theirs{};
    if (os::stat((folder + "/fd/0").c_str(), &theirs) != 0 || theirs.st_dev != pipe.st_dev ||
        theirs.st_ino != pipe.st_ino)
      return false;
    // "12 (name) S 11 …"
    const std::string about = read_start_of_file(folder + "/stat", 4096).value_or("");
    const size_t open = about.find('('), close = about.rfind(") ");
    if (open == about.npos || close == about.npos || close + 4 >= about.size()) return false;
    const std::string_view name = std::string_view(about).substr(open + 1, close - open - 1);
    if (std::ranges::find(kShells, name) != std::end(kShells)) return true;
    process = std::atoi(about.c_str() + close + 4);
  }
  return false;
}

}  // namespace bodkin
