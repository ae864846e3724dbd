#include "lsp/apply/write_journal.h"

#include <fmt/format.h>

#include "agent/support/fnv1a.h"
#include "edits/text/pieces.h"

namespace bodkin {

std::string digest_of(const std::optional<std::string>& text) {
  if (!text) return "none";
  return fmt::format("{}:{:016x}", text->size(), fnv1a(*text));
}

std::string written(const Journal& journal) {
  std::string out = "bodkin apply 2";
  const auto add = [&out](std::string_view field) { (out += '\0') += field; };
  (add(journal.root), add(journal.inode));
  for (const std::string& folder : journal.folders) (add("folder"), add(folder));
  for (const JournalEntry& e : journal.entries)
    (add(e.in_place ? "place" : "file"), add(e.path), add(e.fresh), add(e.saved), add(e.before),
     add(e.after));
  add("end");
  return out;
}

std::optional<Journal> read_journal(std::string_view bytes) {
  const auto pieces = split(bytes, '\0');
  const std::vector<std::string> fields(pieces.begin(), pieces.end());
  if (fields.size() < 4 || fields.front() != "bodkin apply 2" || fields.back() != "end") return {};
  Journal journal;
  journal.root = fields[1];
  journal.inode = fields[2];
  for (size_t i = 3; i + 1 < fields.size();) {
    if (fields[i] == "folder" && i + 2 < fields.size()) {
      journal.folders.push_back(fields[i + 1]);
      i += 2;
    } else if ((fields[i] == "file" || fields[i] == "place") && i + 6 < fields.size()) {
      journal.entries.push_back({fields[i + 1], fields[i + 2], fields[i + 3], fields[i + 4],
                                 fields[i + 5], fields[i] == "place"});
      i += 6;
    } else {
      return {};
    }
  }
  return journal;
}

}  // namespace bodkin
