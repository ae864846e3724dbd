#include "lsp/shown_files.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "lsp/uri.h"

namespace bodkin::lsp {

namespace fs = std::filesystem;

ShownFiles::~ShownFiles() {
  std::error_code ignored;
  for (const std::string& file : files_) fs::remove(file, ignored);
}

Result<std::string> ShownFiles::uri_of(const std::string& name, const std::string& text) {
  std::error_code error;
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  const fs::path folder =
      (runtime && *runtime ? fs::path(runtime) : fs::temp_directory_path(error)) /
      ("bodkin-" + std::to_string(::getuid()));
  fs::create_directories(folder, error);
  fs::permissions(folder, fs::perms::owner_all, error);
  if (error) return fail(Error::Code::internal, folder.string() + " cannot be used.");
  const fs::path file = folder / (std::to_string(::getpid()) + "-" + name);
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) return fail(Error::Code::internal, file.string() + " cannot be written.");
  files_.insert(file.string());
  return uri_of_path(file.string());
}

}  // namespace bodkin::lsp
