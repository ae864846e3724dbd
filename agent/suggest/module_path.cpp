#include "agent/suggest/module_path.h"

#include <algorithm>
#include <initializer_list>

#include "edits/plan/paths.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

constexpr std::string_view kScriptEndings[] = {".ts", ".tsx", ".js", ".jsx", ".mts", ".mjs"};

std::string joined(const std::string& folder, std::string_view rest) {
  std::string out = folder;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('/'), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (part == "..")
      out = std::string(folder_part(out));
    else if (!part.empty() && part != ".")
      out += (out.empty() ? "" : "/") + std::string(part);
  }
  return out;
}

bool is_below(std::string_view path, std::string_view folder) {
  return folder.empty() ||
         (path.starts_with(folder) && path.substr(folder.size()).starts_with('/'));
}

std::string replaced(std::string text, char from, char to) {
  std::ranges::replace(text, from, to);
  return text;
}

std::string_view without_ending(std::string_view path) {
  const size_t dot = path.rfind('.');
  return dot == path.npos || path.find('/', dot) != path.npos ? path : path.substr(0, dot);
}

// All folders that hold the path, the innermost first; "" at last.
std::vector<std::string> folders_around(std::string path) {
  std::vector<std::string> out;
  do out.push_back(path = std::string(folder_part(path)));
  while (!path.empty());
  return out;
}

// "../b/c" of "a/b/c" in "a/d".
std::string relative(std::string_view from, std::string_view to) {
  std::string up;
  while (!is_below(to, from)) {
    from = folder_part(from);
    up += "../";
  }
  if (!from.empty()) to.remove_prefix(from.size() + 1);
  return (up.empty() ? "./" : up) + std::string(to);
}

// A name that is nothing else in Python.
bool is_python_name(std::string_view part) {
  const auto is_plain = [](char c) {
    return static_cast<unsigned char>(c) < 0x80 && is_word_char(c);
  };
  return !part.empty() && !is_among(part.front(), "0123456789") &&
         std::ranges::all_of(part, is_plain) && !is_keyword(*language_with_id("python"), part);
}

// Whether it can be written in an import as it is: a folder or a file may have any name.
bool can_be_written(std::string_view module, bool is_python) {
  if (!is_python)
    return std::ranges::none_of(module, [](char c) {
      return static_cast<unsigned char>(c) < 0x20 || c == 0x7f || is_among(c, "\"'`\\");
    });
  module.remove_prefix(std::min(module.find_first_not_of('.'), module.size()));
  for (bool goes_on = !module.empty(); goes_on;) {
    const size_t end = std::min(module.find('.'), module.size());
    if (!is_python_name(module.substr(0, end))) return false;
    goes_on = end < module.size();
    module.remove_prefix(std::min(end + 1, module.size()));
  }
  return true;
}

// The first import of a file that has none. Nullopt: it may not be a module.
std::optional<Replacement> first_import(const std::string& name, const std::string& module,
                                        const Text& file, size_t first_code, bool is_python) {
  const std::string all = file.str();
  if (!is_python && !all.starts_with("export ") && !all.contains("\nexport ")) return std::nullopt;
  size_t line = file.line_of(first_code);
  if (line + 1 >= file.line_count() || first_code != file.line_begin(line)) return std::nullopt;
  // A comment directly above the code is about the code, if it is not the head of the file.
  size_t above = line;
  while (above > 0 && !is_blank(file.line(above - 1))) --above;
  if (above > 0) line = above;
  const std::string ending =
      file.substr(file.line_end(line), file.line_begin(line + 1) - file.line_end(line));
  std::string text = line > 0 && !is_blank(file.line(line - 1)) ? ending : "";
  if (is_python) {
    text += "from " + module + " import " + name + ending + ending;
    if (is_one_of(file.substr(first_code, 4), {"def ", "clas", "asyn"})) text += ending;
  } else {
    const char quote = std::ranges::count(all, '\'') > std::ranges::count(all, '"') ? '\'' : '"';
    text += "import { " + name + " } from " + quote + module + quote +
            (all.contains(';' + ending) ? ";" : "") + ending + ending;
  }
  return Replacement{file.line_begin(line), 0, std::move(text)};
}

}  // namespace

bool is_module(std::string_view path, bool is_python) {
  if (is_python) return path.ends_with(".py") && !path.contains("site-packages/");
  return !path.ends_with(".d.ts") && std::ranges::any_of(kScriptEndings, [&](std::string_view end) {
    return path.ends_with(end);
  });
}

ModulePath::ModulePath(const std::string& path, const std::string& target,
                       const std::vector<NamedImport>& imports, const ImportWorld& world,
                       bool is_python)
    : path_(path), target_(target), imports_(imports), world_(world), is_python_(is_python) {
  for (size_t i = 0; i < imports_.size(); ++i)
    if (auto one = resolved(i)) resolved_.push_back(*std::move(one));
}

std::string ModulePath::file_of(const std::string& stem) const {
  if (is_python_) {
    if (has(stem + ".py")) return stem + ".py";
    return has(stem + "/__init__.py") ? stem + "/__init__.py" : "";
  }
  if (has(stem)) return stem;
  const std::string bare(without_ending(stem));
  for (const std::string& each : {stem, bare})
    for (const std::string_view end : kScriptEndings)
      if (std::string path = each + std::string(end); has(path)) return path;
  for (const std::string_view end : kScriptEndings)
    if (std::string path = stem + "/index" + std::string(end); has(path)) return path;
  return "";
}

std::optional<ModulePath::Resolved> ModulePath::resolved(size_t import) const {
  const std::string& module = imports_[import].module;
  if (module.empty()) return std::nullopt;
  const auto below = [&](const std::string& root, const std::string& prefix,
                         const std::string& rest) -> std::optional<Resolved> {
    std::string path = file_of(joined(root, rest));
    if (path.empty()) return std::nullopt;
    return Resolved{import, std::move(path), prefix, root};
  };
  if (is_python_) {
    const size_t dots = std::min(module.find_first_not_of('.'), module.size());
    const std::string rest = replaced(module.substr(dots), '.', '/');
    if (dots > 0)
      return below(folders_around(path_)[std::min(dots, folders_around(path_).size()) - 1], ".",
                   rest);
    for (const std::string& folder : folders_around(path_))
      for (const std::string& root : {folder, joined(folder, "src")})
        if (auto found = below(root, "", rest)) return found;
    return std::nullopt;
  }
  if (module.starts_with('.')) return below(std::string(folder_part(path_)), ".", module);
  // Prefixes for a folder: "@/a", "~/a", "$lib/a", "src/a".
  const size_t slash = module.find('/');
  if (slash == module.npos || !is_one_of(module.substr(0, slash), {"@", "~", "$lib", "src", "#"}))
    return std::nullopt;
  const std::string prefix = module.substr(0, slash + 1);
  for (const std::string& folder : folders_around(path_))
    for (const char* root : {"src", "src/lib", ""})
      if (auto found = below(joined(folder, root), prefix, module.substr(slash + 1))) return found;
  return std::nullopt;
}

bool ModulePath::is_imported() const {
  const auto is_submodule = [&](const NamedImport& each) {  // `from app import main`
    return std::ranges::any_of(each.names, [&](const ImportedName& name) {
      const char* const dot = each.module.ends_with('.') ? "" : ".";
      const std::vector<NamedImport> one = {{.module = each.module + dot + name.name}};
      return ModulePath(path_, target_, one, world_, true).is_it(one.front());
    });
  };
  return std::ranges::any_of(imports_, [&](const NamedImport& each) {
    return is_it(each) || (is_python_ && is_submodule(each));
  });
}

bool ModulePath::is_it(const NamedImport& import) const {
  return std::ranges::any_of(resolved_, [&](const Resolved& each) {
    return &imports_[each.import] == &import && each.path == target_;
  });
}

std::string ModulePath::package_of(std::string path) const {
  for (std::string& folder : folders_around(std::move(path)))
    if (world_.read(joined(folder, "package.json"))) return std::move(folder);
  return "";
}

std::optional<std::string> ModulePath::python_module() const {
  const bool is_package = last_part(target_) == "__init__.py";
  const std::string stem(is_package ? folder_part(target_) : without_ending(target_));
  const std::string own(folder_part(path_));
  const auto below = [&](const std::string& root) {
    return replaced(stem.substr(root.empty() ? 0 : root.size() + 1), '/', '.');
  };
  if (!resolved_.empty()) {
    const Resolved& last = resolved_.back();
    if (last.prefix == ".") {
      std::string dots = ".";
      for (const std::string& folder : folders_around(path_)) {
        if (is_below(stem, folder)) return dots + below(folder);
        dots += ".";
        if (!has(joined(folder, "__init__.py"))) break;
      }
      return std::nullopt;
    }
    if (is_below(stem, last.root)) return below(last.root);
  }
  // The folder that holds the package.
  std::string root(is_package ? folder_part(folder_part(target_)) : folder_part(target_));
  while (has(joined(root, "__init__.py")) && !root.empty()) root = std::string(folder_part(root));
  if (root != folder_part(target_) || root == own) return below(root);
  return std::nullopt;
}

std::optional<std::string> ModulePath::script_module() const {
  if (package_of(path_) != package_of(target_)) return std::nullopt;
  std::string_view ending;  // as others are written
  for (const Resolved& each : resolved_) {
    const std::string& module = imports_[each.import].module;
    ending = {};
    for (const std::string_view end : kScriptEndings)
      if (module.ends_with(end)) ending = end;
    // A folder whose index passes on what its files declare.
    if (without_ending(last_part(each.path)) == "index" && each.path != target_ &&
        is_below(target_, folder_part(each.path)) && !is_below(path_, folder_part(each.path)))
      return std::nullopt;
  }
  const std::string_view own_ending =
      std::string_view(target_).substr(without_ending(target_).size());
  std::string stem(without_ending(target_));
  if (ending.empty() && last_part(stem) == "index" && stem != "index")
    stem = std::string(folder_part(stem));
  else if (!ending.empty())
    stem += ending == ".js" || ending == ".mjs" ? std::string(ending) : std::string(own_ending);
  const Resolved* const last = resolved_.empty() ? nullptr : &resolved_.back();
  if (last && last->prefix != "." && is_below(stem, last->root))
    return last->prefix + stem.substr(last->root.empty() ? 0 : last->root.size() + 1);
  return relative(folder_part(path_), stem);
}

std::optional<Replacement> ModulePath::import_of(const std::string& name, bool is_type,
                                                 const Text& file, size_t first_code) const {
  const auto called = is_python_ ? python_module() : script_module();
  if (!called || called->empty() || called->ends_with('/') || !can_be_written(*called, is_python_))
    return std::nullopt;
  if (imports_.empty()) return first_import(name, *called, file, first_code, is_python_);
  const NamedImport& above =
      resolved_.empty() ? imports_.back() : imports_[resolved_.back().import];
  const LineRange after = above.lines;
  // Other code on its line may go on below it.
  const std::string behind = file.substr(above.end, file.line_end(after.end - 1) - above.end);
  const std::string_view rest = trimmed(behind);
  if (!rest.empty() && rest != ";" && !rest.starts_with(is_python_ ? "#" : "//"))
    return std::nullopt;
  const size_t offset = file.line_begin(after.end);
  const std::string ending =
      file.substr(file.line_end(after.end - 1), offset - file.line_end(after.end - 1));
  if (ending.empty()) return std::nullopt;
  if (is_python_) return Replacement{offset, 0, "from " + *called + " import " + name + ending};
  std::string words;  // of all imports
  for (const NamedImport& each : imports_)
    for (size_t line = each.lines.begin; line < each.lines.end; ++line)
      words += file.line(line) + "\n";
  const bool is_tight = words.contains('{') && !words.contains("{ ") && !words.contains("{\n");
  const char* const space = is_tight ? "" : " ";
  const std::string quote = words.contains('"') ? "\"" : "'";
  const std::string last(trimmed_right(file.line(after.end - 1)));
  return Replacement{
      offset, 0,
      std::string(is_type && words.contains("import type ") ? "import type {" : "import {") +
          space + name + space + "} from " + quote + *called + quote +
          (last.ends_with(';') ? ";" : "") + ending};
}

}  // namespace bodkin
