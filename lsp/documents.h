// Documents: the editor's buffers as the server knows them, and the names of files.
//
// A file has a URI for the editor and a *path* for the model and the engine: relative to the
// workspace folder, with '/'; with several folders the folder's name comes first; outside all
// folders the absolute path; for a buffer without a file its name. Main thread only.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/protocol.h"

namespace bodkin::lsp {

struct Document {
  std::string uri;  // as the client spells it
  std::string path;
  std::string language;
  int64_t version = 0;
  Text text;
  bool lost = false;  // a change did not fit: our text may differ from the editor's
};

class Documents {
 public:
  void set_encoding(Encoding encoding) { encoding_ = encoding; }
  Encoding encoding() const { return encoding_; }

  void add_folder(const WorkspaceFolder& folder);
  void remove_folder(const std::string& uri);
  std::vector<std::string> roots() const;  // absolute, of the folders that are on this machine
  const std::vector<WorkspaceFolder>& folders() const { return folders_; }

  void open(const TextDocumentItem& item);
  void close(const std::string& uri);
  // What changed, one replacement after the other, each in bytes of the text that the one before
  // left, without what is equal at both ends. Errors: not_found (not open), invalid_input (a range
  // that cannot be; the document is lost until its whole text comes again).
  Result<std::vector<Replacement>> change(const DidChangeParams& params);

  const Document* find(const std::string& uri) const;  // any spelling
  const Document* find_path(std::string_view path) const;
  const std::map<std::string, Document>& all() const { return open_; }

  std::string path_of(const std::string& uri) const;
  std::string uri_of(std::string_view path) const;

 private:
  Encoding encoding_ = Encoding::utf16;
  std::vector<WorkspaceFolder> folders_;
  std::map<std::string, Document> open_;  // by the URI in one spelling
};

// Where `path` is on disk: absolute, or nothing if it leaves the folders or names no file.
// Thread: any; roots and names belong together.
struct Root {
  std::string name, folder;  // folder: absolute
};
std::vector<Root> roots_of(const Documents& documents);
std::optional<std::string> place_on_disk(const std::vector<Root>& roots, std::string_view path);

// The smallest replacement that makes `after` of `before`; whole characters of UTF-8.
Replacement difference(const Text& before, const Text& after);

}  // namespace bodkin::lsp
