// Documents: the editor's buffers as the server knows them, and the names of files.
// A file that is open under one name is found under each: through a link, or in another case where
// the disk ignores it (agent/support/real_path.h).
//
// A file has a URI for the editor and a *path* for the model and the engine: that of
// agent/workspace/roots.h in a folder of the workspace, or without any folder; outside all folders
// the absolute path, which no model may read or edit; for a buffer without a file its URI
// ("untitled:Untitled-1"). No two of these have the same path. Main thread only.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/workspace/roots.h"
#include "lsp/protocol/protocol.h"

namespace bodkin::lsp {

struct Document {
  std::string uri;  // as the client spells it
  std::string path;
  std::string language;
  int64_t version = 0;
  Text text;
  std::string real;      // a file's real path when it was opened; its identity
  std::string encoding;  // in which the editor saves it; empty: it has not said so
  // A change was invalid, or its text, or it has lone returns: ours may differ from the editor's.
  bool lost = false;
};

// Why a text with a carriage return that no newline follows has no places in an editor. The
// protocol (3.17, "Text Documents") ends a line there; Neovim and Emacs, among others, do not.
std::string lone_returns_in_words(const std::string& path);

class Documents {
 public:
  void set_encoding(Encoding encoding) { encoding_ = encoding; }
  Encoding encoding() const { return encoding_; }

  // Skips duplicate folders, and folders on another machine. A folder keeps its name while there
  // are several, whatever others come and go. Documents get their new paths.
  void change_folders(const std::vector<WorkspaceFolder>& removed,
                      const std::vector<WorkspaceFolder>& added);
  void add_folder(const WorkspaceFolder& folder) { change_folders({}, {folder}); }
  const Roots& roots() const { return roots_; }

  void open(const TextDocumentItem& item);
  void close(const std::string& uri);
  // The successive replacements, each in bytes of the text after the previous one, without common
  // prefix and suffix. Errors: not_found (not open), invalid_input (an invalid range; the document
  // is lost until its whole text is sent again).
  Result<std::vector<Replacement>> change(const DidChangeParams& params);
  // Sets the encoding of a document or, if `uri` is empty, of files that the editor loads.
  void set_file_encoding(const std::string& uri, const std::string& encoding);
  const std::string& loading_encoding() const { return loading_encoding_; }
  void lose(const std::string& uri);  // a change of it was not understood

  // The one that is open under this very name comes first.
  const Document* find(const std::string& uri) const;
  const Document* find(const FileInFolder& file) const;
  // Whether the URI is one of the file, which need not be open.
  bool is_uri_of(const std::string& uri, const FileInFolder& file) const;
  const Document* find_path(std::string_view path) const;
  const std::map<std::string, Document>& all() const { return open_; }

  std::string path_of(const std::string& uri) const;
  // The client's name for it while it is open, else the one that it was last opened with.
  std::string uri_of(const FileInFolder& file) const;

 private:
  const Document* find_key(const std::string& key, const std::optional<std::string>& file) const;

  void name_loose_files();

  Encoding encoding_ = Encoding::utf16;
  std::string loading_encoding_;
  Roots roots_;
  std::map<std::string, Document> open_;        // by the URI in one spelling
  std::map<std::string, std::string> spelled_;  // by the same: the client's, if it is another
};

// The smallest replacement that turns `before` into `after`; whole UTF-8 characters.
Replacement difference(const Text& before, const Text& after);

}  // namespace bodkin::lsp
