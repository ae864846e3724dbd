// SourceFiles: the files of a project on the disk, and which of them depend on a changed one, by
// the text of their imports. It errs on the side of too many: a dependent that is not found is an
// error that is not seen.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "agent/checkers/imports.h"
#include "agent/platform/files.h"
#include "agent/workspace/privacy.h"
#include "edits/plan/report.h"

namespace bodkin {

class SourceFiles {
 public:
  explicit SourceFiles(std::string root) : root_(std::move(root)) {}

  struct Change {
    std::string path;  // relative to the root
    int type = 2;      // LSP's FileChangeType: 1 created, 2 changed, 3 deleted
  };
  // Looks at the disk, and returns what has changed since the last call; the first one returns
  // nothing. Blocks for a few milliseconds per thousand files.
  // `also`: absolute paths of files that are sources wherever they are.
  std::vector<Change> refresh(const std::vector<std::string>& also, const std::stop_token& stop);
  // Whether the last refresh found a private file that was not there before, or was another file.
  bool has_new_private() const { return has_new_private_; }
  // Whether one of these files (relative paths), or one that they import, names something that only
  // some of the readers can see: by one of these keys, by one of a private file, or by a path for
  // which `is_hidden`. `text_of`: the draft's text of a file, else nullopt.
  struct Hidden {
    std::set<std::string, std::less<>> keys;
    std::function<bool(const std::string& absolute)> is_hidden;
    bool by_macro = false;  // what a macro includes may be any of them
  };
  bool reach(Imports imports, const std::set<std::string>& paths, Hidden hidden,
             const std::function<std::optional<Text>(const std::string&)>& text_of);
  // Links in the folder that lead out of it, relative.
  const std::set<std::string, std::less<>>& links_out() const { return links_out_; }
  bool has_private() const { return !private_.empty(); }
  bool is_private(std::string_view path) const;      // as of the last refresh
  bool is_complete() const { return is_complete_; }  // else there were too many, or too long ones

  // The files on the disk that import one of these, directly or through others: relative, without
  // these, the nearest first.
  std::vector<std::string> dependents(Imports imports, const std::vector<ChangedFile>& changed);
  // The files on the disk that these import, directly or through others: relative, without these.
  // `text_of`: the draft's text of a file, else nullopt.
  std::vector<std::string> imported_by(
      Imports imports, const std::set<std::string>& paths,
      const std::function<std::optional<Text>(const std::string&)>& text_of);
  // All files of the languages with such imports.
  std::vector<std::string> all_of(Imports imports) const;
  // Whether a link in the folder leads to the file, or to a folder that it is in.
  bool is_linked(std::string_view path) const;
  std::vector<std::string> of_language(std::string_view id) const;
  // All files of that name.
  std::vector<std::string> named(std::string_view name) const;
  // All tsconfig*.json and jsconfig*.json, and other JSON that is_script_project().
  std::vector<std::string> script_projects() const;
  // Whether one of these, or a file that they include, declares something that must not be called.
  bool forbid_calls(const std::set<std::string>& paths,
                    const std::function<std::optional<Text>(const std::string&)>& text_of);
  // Whether a folder between the root and the file has a compilation database of its own.
  bool has_nested_database(std::string_view path) const;
  // One of these units (absolute paths) that is not below the root and includes a file of one of
  // the names; empty: none.
  std::string user_outside(const std::vector<std::string>& units,
                           const std::set<std::string>& files);
  // A source or a configuration that names this file, which is not a source itself: its text may be
  // compiled in, or say how sources are checked. Empty: none. Reads the configurations, and all
  // sources if the file is removed.
  std::string user_of_data(const ChangedFile& file);

 private:
  struct File {
    int64_t time_ns = 0;
    uint64_t size = 0, inode = 0;
    bool is_read = false, is_unknown = false;  // unknown: it could not be read
    bool is_compiled = false;                  // a compilation database or an #include names it
    bool is_global = false;                    // of scripts: others use it without an import
    bool forbids_calls = false;                // of C: see plain_edits.h
    mutable std::optional<bool> is_script_project;  // of JSON, once it is read
    std::set<std::string> imports;                  // keys
    std::vector<std::string> far;  // paths in its imports that may leave the folder
    bool is_as(const File& other) const {
      return time_ns == other.time_ns && size == other.size && inode == other.inode;
    }
  };
  static constexpr size_t kMaxSource = 4u << 20;  // of a file whose imports are read
  static constexpr size_t kMaxHiddenFiles = 2'000;

  using FilesByKey = std::map<std::string, std::vector<std::string>, std::less<>>;
  FilesByKey files_by_key(Imports imports) const;  // what an import of the key may mean
  static File stamped(const os::FileStatus& info);
  static bool is_of(Imports imports, const std::string& path, const File& file);
  static void note_imports(Imports imports, const std::string& text, File& file);
  void read_imports(Imports imports);
  using FoundFiles = std::map<std::string, File, std::less<>>;
  FoundFiles look(std::map<std::string, std::string>& lists, const std::stop_token& stop);
  bool note_private(const std::string& path, const os::FileStatus& info);
  void note_private_below(const std::string& folder);
  bool add_included_files();

  const std::string root_;
  std::map<std::string, File, std::less<>> files_;  // source files; by path relative to the root
  std::map<std::string, File> outside_;             // units that are elsewhere; by absolute path
  std::map<std::string, uint64_t, std::less<>> private_;  // private files and folders: their inodes
  std::map<std::string, bool, std::less<>> are_private_;  // paths that were looked at
  std::map<std::string, std::string> lists_;  // each .bodkinignore in the folder: its text
  IgnoreLists ignored_;
  std::set<std::string, std::less<>> links_out_;
  bool has_new_private_ = false;
  std::set<std::string, std::less<>> linked_;    // what links in the folder lead to, relative
  std::set<std::string, std::less<>> included_;  // names of files that only an #include makes C
  bool is_first_ = true, is_complete_ = true;
};

}  // namespace bodkin
