#include "lsp/review/shown_files.h"

#include <fstream>

#include "agent/platform/files.h"
#include "agent/rpc/uri.h"
#include "agent/support/path_text.h"

namespace bodkin::lsp {

namespace {

constexpr size_t kMaxShown = 50;

}  // namespace

Result<std::string> ShownFiles::uri_of(const std::string& name, const std::string& text) {
  if (!folder_) {
    auto made = TemporaryFolder::make(TemporaryFolder::Where::memory);
    if (!made)
      return fail(made.error().code, "Cannot show the text: " + made.error().message + ".");
    folder_ = std::move(*made);
  }
  const std::string file = join_path(folder_->path(), name);
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) return fail(Error::Code::internal, file + " cannot be written.");
  std::erase(files_, file);
  files_.push_back(file);
  if (files_.size() > kMaxShown) {
    os::unlink(files_.front().c_str());
    files_.pop_front();
  }
  return rpc::uri_of_path(file);
}

}  // namespace bodkin::lsp
