#include "lsp/apply/folder_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "agent/platform/files.h"
#include "agent/platform/paths.h"
#include "agent/support/encoding.h"
#include "agent/support/shown_text.h"
#include "agent/workspace/file_rules.h"
#include "agent/workspace/outside.h"
#include "edits/plan/diff.h"
#include "edits/plan/paths.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

// Whether the new text has bytes that are not ASCII and that the old one does not have there.
bool adds_other_characters(std::string_view before, std::string_view after) {
  const size_t shorter = std::min(before.size(), after.size());
  size_t head = 0, tail = 0;
  while (head < shorter && before[head] == after[head]) ++head;
  while (tail < shorter - head &&
         before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
    ++tail;
  const std::string_view old = before.substr(head, before.size() - head - tail);
  size_t at = 0;
  for (const char c : after.substr(head, after.size() - head - tail)) {
    if (static_cast<unsigned char>(c) < 0x80) continue;
    at = old.find(c, at);
    if (at == old.npos) return true;
    ++at;
  }
  return false;
}

// The texts, as they are in the file: in its encoding. Error: see writes_of().
Result<void> encode(const ConfinedFolder& folder, const std::string& path, const ChangedFile& file,
                    Texts texts, const RemovedFile* removed, std::optional<std::string>& before,
                    std::optional<std::string>& after) {
  const auto disk = before ? folder.read(path) : std::nullopt;
  const auto read = [&](const std::string& rules) { return folder.read(rules); };
  const std::string encoding = removed && removed->encoding
                                   ? *removed->encoding
                                   : encoding_of(path, disk ? std::string_view(*disk) : "", read);
  const bool is_decoded =
      before && disk && *before != *disk && !encoding.empty() && decoded(*disk, encoding) == before;
  const auto refuse = [&](const std::string& why) {
    return fail(Error::Code::invalid_input, fmt::format("{} is not UTF-8, and {}", file.path, why));
  };
  if (before && !is_decoded && !is_utf8(*before)) {
    if (texts == Texts::restored || !after) return {};
    if (!is_known_encoding(encoding))  // its ASCII may be other bytes
      return refuse(encoding + " is an encoding that is not known here");
    const Text old(*before);
    for (const Replacement& edit :
         file.edits.empty() ? changed_lines(old, Text(*after)) : file.edits)
      if (adds_other_characters(old.substr(edit.offset, edit.length), edit.text))
        return refuse(encoding.empty()
                          ? "neither .editorconfig (charset) nor bodkin.files.encoding names its "
                            "encoding, so that only ASCII text can be added"
                          : fmt::format("its bytes are not {}", encoding));
    return {};
  }
  if (is_decoded) before = disk;
  if (after && !before && texts == Texts::added) {
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    const std::string charset = rules_of(path, read).charset;
    if ((charset == "utf-8-bom" || is_utf_16_name(charset)) && !after->starts_with(kMark))
      after->insert(0, kMark);
  }
  if (!after || encoding.empty() || !is_utf8(*after)) return {};
  if (is_ascii(*after) && !is_utf_16_name(encoding)) return {};
  auto bytes = encoded(*after, encoding);
  if (!bytes)
    return fail(Error::Code::invalid_input, fmt::format("{} cannot be written in its encoding: {}",
                                                        file.path, bytes.error().message));
  after = *std::move(bytes);
  return {};
}

}  // namespace

namespace {

struct ReadFile {
  std::string text, encoding;  // empty: the text is the file's bytes
};

std::optional<ReadFile> read_in(const ConfinedFolder& folder, std::string_view path) {
  const Result<std::string> resolved = folder.resolve(path);
  if (!resolved) return std::nullopt;
  std::optional<std::string> bytes = folder.read(*resolved);
  if (!bytes) return std::nullopt;
  if (is_utf8(*bytes) && bytes->find('\0') == bytes->npos) return ReadFile{std::move(*bytes), ""};
  const std::string encoding =
      encoding_of(*resolved, *bytes, [&](const std::string& rules) { return folder.read(rules); });
  if (auto text = decoded(*bytes, encoding)) return ReadFile{std::move(*text), encoding};
  return ReadFile{std::move(*bytes), ""};
}

}  // namespace

std::optional<Text> FolderFiles::read(std::string_view path) const {
  auto file = read_in(folder_, path);
  return file ? std::optional(Text(std::move(file->text))) : std::nullopt;
}

std::string FolderFiles::why_unreadable(std::string_view path) const {
  os::FileStatus status{};
  const std::string name(path);
  if (os::is_absolute(path)) return "";         // inside() says what that is
  if (os::inner_form(path) != path) return "";  // "a\\b" names nothing on Windows
  if (os::fstatat(folder_.number(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return "";
  const Result<std::string> resolved = folder_.resolve(path);
  if (!resolved) return resolved.error().message;
  if (const auto can = folder_.check_file(*resolved); !can) return can.error().message;
  if (folder_.read(*resolved)) return "";
  return errno == ENOENT ? name + " is a link to a file that is not there"
                         : fmt::format("{} cannot be read: {}", path, os::strerror(errno));
}

Result<std::string> FolderFiles::inside(const std::string& path) const {
  return path_inside(path, {{"", folder_.path()}});
}

Result<std::vector<FileWrite>> writes_of(const std::vector<ChangedFile>& files,
                                         const ConfinedFolder& folder, Texts texts,
                                         const RemovedFiles& removed) {
  std::vector<FileWrite> writes;
  for (const ChangedFile& file : files) {
    const Result<std::string> path = folder.resolve(file.path);
    if (!path) return std::unexpected(path.error());
    const bool goes = !file.after || file.rename_to;
    if (goes && folder.is_link(file.path)) {
      return fail(
          Error::Code::invalid_input,
          file.path + " is a symbolic link; only the contents of its target can be changed");
    }
    std::optional<std::string> before, after;
    if (file.before) before = file.before->str();
    if (file.after) after = file.after->str();
    const auto found = file.before ? removed.end() : removed.find(file.path);
    const RemovedFile* const was = found == removed.end() ? nullptr : &found->second;
    if (const auto can = encode(folder, *path, file, texts, was, before, after); !can)
      return std::unexpected(can.error());
    if (file.rename_to) {
      const Result<std::string> to = folder.resolve(*file.rename_to);
      if (!to) return std::unexpected(to.error());
      writes.push_back({*to, std::nullopt, std::exchange(after, std::nullopt), *path});
    }
    writes.push_back({*path, std::move(before), std::move(after)});
    if (was) writes.back().mode = static_cast<mode_t>(was->mode);
  }
  std::map<std::string_view, int> seen;
  for (const FileWrite& write : writes)
    if (++seen[write.path] > 1) {
      return fail(Error::Code::invalid_input, "two edited paths are the same file: " + write.path);
    }
  return writes;
}

std::set<std::string> folders_to_make(const ConfinedFolder& folder,
                                      const std::vector<ChangedFile>& files) {
  std::set<std::string> made;
  for (const ChangedFile& file : files) {
    if (!file.after) continue;
    const std::string& name = file.last_path();
    for (std::string& above : folder.missing_folders(folder.resolve(name).value_or(name)))
      made.insert(std::move(above));
  }
  return made;
}

void remove_made_folders(const ConfinedFolder& folder, const std::set<std::string>& made) {
  for (auto path = made.rbegin(); path != made.rend(); ++path)  // what is below one comes before it
    if (const FileDescriptor above = folder.directory_of(*path))
      os::unlinkat(above.number(), std::string(last_part(*path)).c_str(), AT_REMOVEDIR);
}

namespace {

std::string moved_away(const ConfinedFolder& folder) {
  return folder.path() + " is no longer the folder that was opened: it was moved or replaced";
}

}  // namespace

Writing::Writing(const ConfinedFolder& folder, JournalFolder journals)
    : folder_(folder), held_(std::make_unique<HeldSignals>()), journals_(std::move(journals)) {}

Writing::~Writing() = default;

Result<std::unique_ptr<Writing>> Writing::begin(const ConfinedFolder& folder,
                                                const std::stop_token& stop) {
  Result<JournalFolder> opened = JournalFolder::open(folder, stop);
  if (!opened) return std::unexpected(opened.error());
  if (!folder.is_in_place()) return fail(Error::Code::stale, moved_away(folder));
  auto writing = std::make_unique<Writing>(folder, *std::move(opened));
  Result<std::vector<std::string>> recovered = recover_files(folder, writing->journals_);
  if (!recovered) return std::unexpected(recovered.error());
  writing->recovered_ = *std::move(recovered);
  return writing;
}

Result<std::unique_ptr<Writing>> Writing::begin_command(const ConfinedFolder& folder,
                                                        std::string_view subcommand) {
  auto writing = begin(folder);
  if (!writing || (*writing)->recovered().empty()) return writing;
  put(stderr, fmt::format("bodkin {}: an earlier run was interrupted:\n", subcommand));
  for (const std::string& words : (*writing)->recovered()) put(stderr, "  " + words + "\n");
  return writing;
}

void Writing::let_signals_through() { held_.reset(); }

Result<void> Writing::write(const std::vector<FileWrite>& writes) {
  if (!folder_.is_in_place()) return fail(Error::Code::stale, moved_away(folder_));
  if (!held_) held_ = std::make_unique<HeldSignals>();
  const auto in_place = write_files(folder_, journals_, writes);
  if (!in_place) return std::unexpected(in_place.error());
  in_place_words_ =
      in_place->empty()
          ? ""
          : fmt::format("{} {} written in place, because no new file can take {} place",
                        fmt::join(*in_place, ", "), in_place->size() == 1 ? "was" : "were",
                        in_place->size() == 1 ? "its" : "their");
  return {};
}

std::string recovered_words(const Writing& writing) {
  constexpr size_t kShown = 10;
  const std::vector<std::string>& all = writing.recovered();
  if (all.empty()) return "";
  const size_t shown = std::min(all.size(), kShown);
  std::string words = fmt::format("An earlier change was interrupted: {}",
                                  fmt::join(all.begin(), all.begin() + shown, "; "));
  if (shown < all.size()) words += fmt::format("; and {} more", all.size() - shown);
  return words;
}

const char* state_of(const ChangedFile& file) {
  return !file.before ? "created" : !file.after ? "removed" : file.rename_to ? "moved" : "changed";
}

std::string line_of(const ChangedFile& file, bool is_planned) {
  std::string state = state_of(file);
  if (is_planned) state = "would " + state.substr(0, state.size() - 1);  // without the d
  return state + " " + file.path + (file.rename_to ? " -> " + *file.rename_to : "");
}

}  // namespace bodkin
