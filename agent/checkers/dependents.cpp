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

bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

template <class Visit>
void each_line(std::string_view text, Visit visit) {
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    visit(trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
  }
}

template <class Visit>
void each_word(std::string_view text, Visit visit) {
  for (size_t i = 0; i < text.size();) {
    if (!is_word_char(text[i])) {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < text.size() && is_word_char(text[end])) ++end;
    visit(text.substr(i, end - i));
    i = end;
  }
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }
std::string_view parent_of(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == path.npos ? std::string_view() : path.substr(0, slash);
}

// "a/b.d.ts" -> "b"
std::string script_name(std::string_view path) {
  std::string_view name = file_name(path);
  for (const std::string_view extension :
       {".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d", ".json"}) {
    if (name.size() > extension.size() && name.ends_with(extension))
      name.remove_suffix(extension.size());
  }
  if (name.ends_with(".d")) name.remove_suffix(2);
  return std::string(name);
}

void add_includes(std::string_view text, std::set<std::string>& keys) {
  each_line(text, [&](std::string_view line) {
    if (!line.starts_with('#')) return;
    line = trimmed(line.substr(1));
    if (!line.starts_with("include") && !line.starts_with("import")) return;
    const size_t begin = line.find_first_of("\"<");
    if (begin == line.npos) {
      keys.insert("*");  // a macro says which
      return;
    }
    const size_t end = line.find_first_of("\">", begin + 1);
    if (end != line.npos) keys.emplace(file_name(line.substr(begin + 1, end - begin - 1)));
  });
}

void add_python_imports(std::string_view text, std::set<std::string>& keys) {
  bool continues = false;
  each_line(text, [&](std::string_view line) {
    const bool begins = line.starts_with("import ") || line.starts_with("from ");
    if (!begins && !continues) return;
    const std::string_view code = line.substr(0, line.find('#'));
    each_word(code, [&](std::string_view word) { keys.emplace(word); });
    if (begins) continues = code.find('(') != code.npos;
    if (code.find(')') != code.npos) continues = false;
    if (code.ends_with('\\')) continues = true;
    if (begins && line.starts_with("from .")) keys.insert("__init__");
  });
}

void add_script_imports(std::string_view text, std::set<std::string>& keys) {
  for (size_t i = 0; i < text.size(); ++i) {
    const char quote = text[i];
    if (quote != '\'' && quote != '"' && quote != '`') continue;
    const size_t end = text.find_first_of(std::string{quote, '\n'}, i + 1);
    if (end == text.npos) break;
    if (text[end] != quote) {
      i = end;
      continue;
    }
    const std::string_view before =
        trimmed(text.substr(i < 24 ? 0 : i - 24, std::min<size_t>(i, 24)));
    const bool is_import = before.ends_with("from") || before.ends_with("import") ||
                           before.ends_with("import(") || before.ends_with("require(") ||
                           before.ends_with("path=") || before.ends_with("module");
    if (is_import) {
      std::string_view name = text.substr(i + 1, end - i - 1);
      while (name.ends_with('/')) name.remove_suffix(1);
      const std::string key = script_name(name);
      keys.insert(key == "." || key == ".." || key.empty() ? "index" : key);
    }
    i = end;
  }
}

void add_go_imports(std::string_view text, std::set<std::string>& keys) {
  bool is_list = false;
  each_line(text, [&](std::string_view line) {
    const bool begins = line.starts_with("import");
    if (!begins && !is_list) return;
    if (begins) is_list = line.find('(') != line.npos;
    const size_t begin = line.find('"');
    const size_t end = begin == line.npos ? begin : line.find('"', begin + 1);
    if (end != line.npos) {
      std::string_view path = line.substr(begin + 1, end - begin - 1);
      keys.emplace(file_name(path));
      if (file_name(path).starts_with('v')) keys.emplace(file_name(parent_of(path)));
    }
    if (line.starts_with(')')) is_list = false;
  });
}

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

bool is_unit(std::string_view path) {
  for (const std::string_view extension :
       {".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".m", ".mm", ".cu"})
    if (path.ends_with(extension)) return true;
  return false;
}

std::set<std::string> imported_keys(Imports imports, std::string_view text) {
  std::set<std::string> keys;
  switch (imports) {
    case Imports::none:
      break;
    case Imports::include:
      add_includes(text, keys);
      break;
    case Imports::python:
      add_python_imports(text, keys);
      break;
    case Imports::script:
      add_script_imports(text, keys);
      break;
    case Imports::go:
      add_go_imports(text, keys);
      break;
  }
  return keys;
}

std::set<std::string> keys_of(Imports imports, std::string_view path) {
  std::set<std::string> keys;
  const std::string_view name = file_name(path);
  switch (imports) {
    case Imports::none:
      break;
    case Imports::include:
      keys.emplace(name);
      keys.insert("*");
      break;
    case Imports::python:
      keys.emplace(name.substr(0, name.find('.')));
      if (name.starts_with("__init__.")) keys.emplace(file_name(parent_of(path)));
      break;
    case Imports::script: {
      const std::string own = script_name(path);
      keys.insert(own);
      // A package's or a folder's entry is named by any of the folders around it.
      if (own == "index" || own == "main" || own == "mod") {
        keys.insert("*");
        keys.insert("index");
        for (std::string_view folder = parent_of(path); !folder.empty(); folder = parent_of(folder))
          keys.emplace(file_name(folder));
      }
      break;
    }
    case Imports::go:
      keys.emplace(file_name(parent_of(path)));
      break;
  }
  return keys;
}

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
      const std::string_view folder = parent_of(path);
      for (const auto& [other, file] : files_)
        if (other.ends_with(".go") && parent_of(other) == folder) add(other);
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
              line.starts_with('#') && !trimmed(line.substr(1)).starts_with("define");
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
