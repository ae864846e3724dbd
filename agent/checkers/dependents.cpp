#include "agent/checkers/dependents.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "agent/support/read_file.h"
#include "agent/support/walk.h"
#include "edits/plan/diff.h"
#include "grammars/languages.h"
#include "grammars/outline.h"
#include "grammars/syntax_tree.h"

namespace bodkin {

namespace {

constexpr size_t kMostFiles = 50'000;
constexpr size_t kMostSource = 4u << 20;  // of a file whose imports are read
constexpr size_t kMostNames = 400;

// Words that say nothing about which declaration a line is of.
constexpr std::string_view kCommonWords =
    " a an and any as assert async auto await bool boolean break case catch char class const "
    "constexpr continue def default del delete do double elif else end enum err error except "
    "export "
    "extends extern False false finally float for from func function get global go if implements "
    "import in inline int int32_t int64_t interface is lambda let long map namespace new nil None "
    "nonlocal not null number of or override package pass private protected public raise range "
    "readonly return self set short signed size_t sizeof static std str string struct super switch "
    "template this throw True true try type typedef typename uint8_t uint32_t uint64_t undefined "
    "union unknown unsigned use using var virtual void while with yield 0 1 2 the to ";

bool is_source(std::string_view path) {
  const Language* language = language_of(path);
  if (!language) return path.ends_with(".inc") || path.ends_with(".ipp") || path.ends_with(".def");
  return true;
}

bool is_skipped_folder(std::string_view name) {
  return name.starts_with('.') || name == "node_modules" || name == "__pycache__" ||
         name == "target" || name == "venv";
}

}  // namespace

std::vector<SourceFiles::Change> SourceFiles::refresh(const std::stop_token& stop) {
  std::vector<Change> changes;
  std::map<std::string, File, std::less<>> found;
  is_complete_ = true;
  walk(root_, [&](const std::filesystem::directory_entry& entry) {
    if (stop.stop_requested()) return Walk::end;
    const std::string& full = entry.path().native();
    const std::string_view name = file_name(full);
    struct stat info {};
    if (::lstat(full.c_str(), &info) != 0) return Walk::on;
    if (S_ISDIR(info.st_mode)) return is_skipped_folder(name) ? Walk::not_below : Walk::on;
    if (!S_ISREG(info.st_mode) && !S_ISLNK(info.st_mode)) return Walk::on;
    if (!is_source(name)) return Walk::on;
    if (found.size() >= kMostFiles) {
      is_complete_ = false;
      return Walk::end;
    }
    File file;
    file.time_ns = info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec;
    file.size = static_cast<uint64_t>(info.st_size);
    file.inode = info.st_ino;
    found.emplace(full.substr(root_.size() + 1), std::move(file));
    return Walk::on;
  });
  for (auto& [path, file] : found) {
    const auto old = files_.find(path);
    if (old == files_.end()) {
      changes.push_back({path, 1});
    } else if (old->second.time_ns != file.time_ns || old->second.size != file.size ||
               old->second.inode != file.inode) {
      changes.push_back({path, 2});
    } else {
      file = std::move(old->second);
    }
  }
  for (const auto& [path, file] : files_)
    if (!found.contains(path)) changes.push_back({path, 3});
  files_ = std::move(found);
  if (std::exchange(is_first_, false)) changes.clear();
  return changes;
}

void SourceFiles::read_imports(Imports imports) {
  for (auto& [path, file] : files_) {
    const Language* language = language_of(path);
    const std::string_view id = language ? language->id : "";
    const bool is_of = imports == Imports::include  ? id == "c" || id == "cpp" || id.empty()
                       : imports == Imports::python ? id == "python"
                       : imports == Imports::go
                           ? id == "go"
                           : id.starts_with("typescript") || id == "javascript";
    if (file.is_read || !is_of) continue;
    file.is_read = true;
    const auto text = read_file(root_ + "/" + path, kMostSource);
    if (text) file.imports = imported_keys(imports, *text);
  }
}

std::vector<std::string> SourceFiles::dependents(Imports imports,
                                                 const std::vector<ChangedFile>& changed) {
  if (imports == Imports::none) return {};
  read_imports(imports);
  std::map<std::string, std::vector<std::string>, std::less<>> importers;  // by key
  for (const auto& [path, file] : files_)
    for (const std::string& key : file.imports) importers[key].push_back(path);
  std::vector<std::string> result, frontier;
  std::set<std::string, std::less<>> seen;
  const auto add = [&](const std::string& path) {
    if (seen.insert(path).second) frontier.push_back(path);
  };
  for (const ChangedFile& file : changed) {
    add(file.path);
    if (file.rename_to) add(*file.rename_to);
  }
  const size_t own = frontier.size();
  for (size_t i = 0; i < frontier.size(); ++i) {
    const std::string path = frontier[i];
    for (const std::string& key : keys_of(imports, path)) {
      const auto found = importers.find(key);
      if (found == importers.end()) continue;
      for (const std::string& importer : found->second) add(importer);
    }
    if (imports == Imports::go) {  // the other files of the package
      const std::string_view folder = folder_of(path);
      for (const auto& [other, file] : files_)
        if (other.ends_with(".go") && folder_of(other) == folder) add(other);
    }
    if (imports == Imports::script && path.ends_with(".d.ts")) {  // may declare global names
      for (const auto& [other, file] : files_)
        if (file.is_read) add(other);
    }
  }
  result.assign(frontier.begin() + static_cast<ptrdiff_t>(own), frontier.end());
  return result;
}

std::set<std::string> changed_names(const std::vector<ChangedFile>& changed) {
  std::set<std::string> names;
  for (const ChangedFile& file : changed) {
    if (!file.before || !file.after || file.rename_to) return {};
    const std::vector<Replacement> edits = changed_lines(*file.before, *file.after);
    ptrdiff_t shift = 0;
    bool reaches_all = false;
    for (const Replacement& edit : edits) {
      for (const std::string& text : {file.before->substr(edit.offset, edit.length), edit.text}) {
        each_line(text, [&](std::string_view line) {
          const bool is_directive =
              line.starts_with('#') && !trimmed_line(line.substr(1)).starts_with("define");
          if ((is_directive && !file.path.ends_with(".py")) ||
              line.starts_with("using namespace") || line.find("import *") != line.npos ||
              line.find("export *") != line.npos)
            reaches_all = true;
        });
        each_word(text, [&](std::string_view word) {
          if (kCommonWords.find(" " + std::string(word) + " ") == kCommonWords.npos)
            names.emplace(word);
        });
      }
    }
    if (reaches_all) return {};
    const Language* language = language_of(file.path);
    for (const bool is_after : {false, true}) {
      const Text& text = is_after ? *file.after : *file.before;
      const auto tree = language ? SyntaxTree::parse(*language, text)
                                 : Result<SyntaxTree>(fail(Error::Code::unavailable, ""));
      if (!tree) return {};
      const Outline found = outline(*tree);
      shift = 0;
      for (const Replacement& edit : edits) {
        const size_t begin = edit.offset + (is_after ? shift : 0);
        const size_t length = is_after ? edit.text.size() : edit.length;
        shift += static_cast<ptrdiff_t>(edit.text.size()) - static_cast<ptrdiff_t>(edit.length);
        for (const Symbol& symbol : found.symbols) {
          if (symbol.begin <= begin + length && symbol.end >= begin)
            each_word(symbol.name, [&](std::string_view word) { names.emplace(word); });
        }
      }
    }
    if (names.size() > kMostNames) return {};
  }
  return names;
}

bool mentions(std::string_view text, const std::set<std::string>& names) {
  bool found = false;
  each_word(text, [&](std::string_view word) {
    if (!found && names.contains(std::string(word))) found = true;
  });
  return found;
}

}  // namespace bodkin
