// More than 350 lines: a record as it is written, and as it is read.
#include "lsp/sessions/proposal_record.h"

#include <algorithm>
#include <array>
#include <utility>

#include "agent/history/hidden.h"
#include "agent/support/encoding.h"
#include "agent/support/json.h"
#include "agent/support/wire_json.h"
#include "agent/workspace/secrets.h"
#include "lsp/sessions/unseen_change.h"

namespace bodkin {

namespace {

using nlohmann::json;
using State = ProposedHunk::State;

constexpr std::array kStates = {"pending", "applied", "stale", "discarded"};
constexpr std::array kKinds = {"update", "create", "remove"};

template <class Enum, size_t count>
std::optional<Enum> one_of(const std::array<const char*, count>& names, const std::string& name) {
  for (size_t i = 0; i < count; ++i)
    if (name == names[i]) return static_cast<Enum>(i);
  return std::nullopt;
}

template <class Enum>
std::optional<Enum> by_name(const std::string& name, Enum last) {
  for (int i = 0; i <= static_cast<int>(last); ++i)
    if (name_of(static_cast<Enum>(i)) == name) return static_cast<Enum>(i);
  return std::nullopt;
}

// The file with all hunks as before, or all as proposed, as far as they are one of the two.
struct Whole {
  std::string text;
  // Offset and length, by hunk; npos: it holds neither of its texts.
  std::vector<std::pair<size_t, size_t>> regions;
};
Whole whole(const ProposedFile& file, bool proposed) {
  Whole result;
  size_t from = 0;
  for (const ProposedHunk& hunk : file.hunks) {
    result.text += file.text.substr(from, hunk.begin - from);
    std::string held = file.text.substr(hunk.begin, hunk.end - hunk.begin);
    const bool is_own = held == hunk.old_text || held == hunk.new_text;
    if (is_own) held = proposed ? hunk.new_text : hunk.old_text;
    result.regions.emplace_back(result.text.size(), is_own ? held.size() : std::string::npos);
    result.text += held;
    from = hunk.end;
  }
  result.text += file.text.substr(from, file.text.size() - from);
  return result;
}

// JSON holds UTF-8 only: each byte of a file with other bytes is kept as one character.
std::string characters_of(std::string_view bytes) {
  std::string text;
  for (const unsigned char byte : bytes) {
    if (byte >= 0x80) text += static_cast<char>(0xC0 | byte >> 6);
    text += static_cast<char>(byte < 0x80 ? byte : 0x80 | (byte & 0x3F));
  }
  return text;
}
std::string bytes_of(std::string_view characters) {
  std::string bytes;
  for (const unsigned char byte : characters)
    if ((byte & 0xC0) == 0x80 && !bytes.empty())
      bytes.back() = static_cast<char>(bytes.back() << 6 | (byte & 0x3F));
    else
      bytes += static_cast<char>(byte < 0x80 ? byte : byte & 0x03);
  return bytes;
}

// The form in which texts are kept.
struct Kept {
  bool is_exact = false, as_characters = false;

  std::string hidden(const std::string& text) const {
    return is_exact ? text : without_secret_bytes(text);
  }
  std::string written(const std::string& text) const {
    return as_characters ? characters_of(text) : text;
  }
};

json json_of(const ProposedName& name, const Kept& kept) {
  return {{"folder", kept.hidden(name.file.folder)},
          {"inside", kept.hidden(name.file.inside)},
          {"path", kept.hidden(name.path)},
          {"lands", kept.hidden(name.lands)}};
}

// Then the history does not know which file it is.
bool has_secret_name(const ProposedFile& file) {
  return std::ranges::any_of(names_of(file), [](const ProposedName* name) {
    return !find_secrets(name->file.full()).empty();
  });
}

ProposedName name_in(const json& from) {
  return {{string_at(from, "folder"), string_at(from, "inside")},
          string_at(from, "path"),
          string_at(from, "lands")};
}

json json_of(const ProposedFile& file, bool is_exact) {
  const Whole before = whole(file, false), after = whole(file, true);
  const Kept kept{is_exact,
                  !is_utf8(before.text) || !is_utf8(after.text) || !is_utf8(file.text.str())};
  const std::string old_text = kept.hidden(before.text);
  const std::string new_text = kept.hidden(after.text);
  const bool is_secret = !is_exact && has_secret_name(file);
  json hunks = json::array();
  for (size_t i = 0; i < file.hunks.size(); ++i) {
    const ProposedHunk& hunk = file.hunks[i];
    // Some secrets can only be recognized in the whole file.
    const auto hidden = [&](const std::string& own, const std::string& all,
                            const std::pair<size_t, size_t>& region) {
      if (region.second != own.size()) return kept.hidden(own);
      return kept.hidden(all.substr(region.first, region.second));
    };
    const std::string old_part = hidden(hunk.old_text, old_text, before.regions[i]);
    const std::string new_part = hidden(hunk.new_text, new_text, after.regions[i]);
    const bool has_secret =
        is_secret || hunk.has_secret || old_part != hunk.old_text || new_part != hunk.new_text;
    hunks.push_back({{"index", hunk.index},
                     {"begin", hunk.begin},
                     {"end", hunk.end},
                     {"old", kept.written(old_part)},
                     {"new", kept.written(new_part)},
                     {"above", kept.written(kept.hidden(hunk.above))},
                     {"below", kept.written(kept.hidden(hunk.below))},
                     {"quality", name_of(hunk.quality)},
                     {"state", kStates[static_cast<size_t>(hunk.state)]},
                     {"wasApplied", hunk.was_applied},
                     {"putAside", hunk.put_aside},
                     {"offered", hunk.is_offered},
                     {"hasSecret", has_secret}});
  }
  json result = {{"kind", kKinds[static_cast<size_t>(file.kind)]},
                 {"name", json_of(file.name, kept)},
                 {"text", kept.written(kept.hidden(file.text.str()))},
                 {"hunks", std::move(hunks)}};
  if (kept.as_characters) result["bytes"] = true;
  if (file.removed) result["mode"] = file.removed->mode;
  if (file.removed && file.removed->encoding) result["encoding"] = *file.removed->encoding;
  if (file.moved_to) result["movedTo"] = json_of(*file.moved_to, kept);
  if (file.moved_from) result["movedFrom"] = json_of(*file.moved_from, kept);
  return result;
}

ChangedFile row_of(const ProposedFile& file) {
  ChangedFile row;
  row.path = file.moved_from ? file.moved_from->path : file.name.path;
  if (file.moved_to || file.moved_from) row.rename_to = file.last_name().path;
  if (file.kind != ProposedFile::Kind::create) row.before = Text(whole(file, false).text);
  if (file.kind != ProposedFile::Kind::remove) row.after = Text(whole(file, true).text);
  return row;
}

// The outcome is what bodkin has done, whatever the files are: a hunk that has changed since is in
// place as long as bodkin has not undone it.
// Decides: what the history says of a proposal.
void add_outcome(const Proposal& proposal, ProposalRow& row) {
  size_t in_place = 0, undone = 0, reverted = 0, open = 0;
  bool is_on_its_way = false;
  for (const ProposedFile& file : proposal.files) {
    const auto counted = [&, before = in_place + undone + reverted] {
      return in_place + undone + reverted > before;
    };
    for (const ProposedHunk& hunk : file.hunks) {
      const bool is_stale = hunk.state == State::stale;
      const bool is_back = hunk.was_applied && (hunk.state == State::discarded || is_stale);
      open += hunk.state == State::pending || (is_stale && !hunk.was_applied);
      if (hunk.is_offered && hunk.state == State::applied)
        row.undone = row.created;  // which is now
      is_on_its_way |= hunk.is_offered && hunk.state != State::applied;
      if (is_back && hunk.put_aside > 0) {
        ++undone;
        row.undone = std::max(row.undone.value_or(0), hunk.put_aside);
      } else if (hunk.state == State::applied || (is_back && is_stale)) {
        ++in_place;
      } else if (is_back) {
        ++reverted;
      }
    }
    if (!counted()) continue;
    const ProposedHunk& first = file.hunks[0];
    const bool is_there = file.kind == ProposedFile::Kind::create ? first.state != State::discarded
                          : file.kind == ProposedFile::Kind::remove ? first.state != State::applied
                                                                    : true;
    row.results[file.name.path] =
        is_there ? std::optional(address_of(file.text.str())) : std::nullopt;
    if (file.moved_from) row.results[file.moved_from->path].reset();
    if (file.moved_to) row.results[file.moved_to->path].reset();
  }
  if (in_place > 0 || is_on_its_way) row.applied = row.created;
  if (is_on_its_way) row.outcome = name_of(Proposal::State::unknown);
  if (is_on_its_way || proposal.state == Proposal::State::unknown) return;
  row.outcome = in_place > 0 && undone > 0  ? "undone in part"
                : in_place > 0 && open > 0  ? "partly"
                : in_place > 0              ? "applied"
                : undone > 0                ? "undone"
                : reverted > 0 && open == 0 ? "reverted since"
                                            : "";
}

// Nullopt if it is damaged.
std::optional<ProposedFile> file_in(const json& from) {
  ProposedFile file;
  const auto kind = one_of<ProposedFile::Kind>(kKinds, string_at(from, "kind"));
  const json& hunks = at(from, "hunks");
  if (!kind || !hunks.is_array() || hunks.empty()) return std::nullopt;
  file.kind = *kind;
  file.name = name_in(at(from, "name"));
  if (from.contains("encoding") || from.contains("mode")) file.removed.emplace();
  if (from.contains("encoding")) file.removed->encoding = string_at(from, "encoding");
  if (from.contains("mode")) file.removed->mode = static_cast<int>(int_at(from, "mode")) & 0777;
  if (from.contains("movedTo")) file.moved_to = name_in(at(from, "movedTo"));
  if (from.contains("movedFrom")) file.moved_from = name_in(at(from, "movedFrom"));
  const bool is_bytes = at(from, "bytes") == true;
  const auto text_at = [&](const json& where, const char* name) {
    std::string text = string_at(where, name);
    return is_bytes ? bytes_of(text) : text;
  };
  file.text = Text(text_at(from, "text"));
  size_t end = 0;
  for (const json& each : hunks) {
    ProposedHunk hunk;
    const auto state = one_of<State>(kStates, string_at(each, "state"));
    const auto quality = by_name(string_at(each, "quality"), MatchQuality::fuzzy);
    int64_t first = int_at(each, "begin"), last = int_at(each, "end");
    // Those that are out of date may lie in each other; they are nowhere.
    if (state == State::stale && first < static_cast<int64_t>(end))
      first = last = static_cast<int64_t>(end);
    if (!state || !quality || first < static_cast<int64_t>(end) || last < first ||
        last > static_cast<int64_t>(file.text.size()))
      return std::nullopt;
    hunk.index = static_cast<size_t>(int_at(each, "index"));
    hunk.begin = static_cast<size_t>(first);
    hunk.end = end = static_cast<size_t>(last);
    hunk.old_text = text_at(each, "old");
    hunk.new_text = text_at(each, "new");
    hunk.above = text_at(each, "above");
    hunk.below = text_at(each, "below");
    hunk.quality = *quality;
    hunk.state = *state;
    hunk.was_applied = at(each, "wasApplied") == true;
    hunk.put_aside = std::max<int64_t>(int_at(each, "putAside"), 0);
    hunk.is_offered = at(each, "offered") == true;
    hunk.has_secret = at(each, "hasSecret") == true;
    file.hunks.push_back(std::move(hunk));
  }
  return file;
}

}  // namespace

ProposalRow row_of(const Proposal& proposal, const std::string& session,
                   const std::string& workspace) {
  ProposalRow row{proposal.id, session,        proposal.ask_id,
                  workspace,   proposal.title, std::string(name_of(proposal.state))};
  row.created = history_time();
  row.is_exact = proposal.is_exact;
  add_outcome(proposal, row);
  json files = json::array();
  for (const ProposedFile& file : proposal.files) {
    files.push_back(json_of(file, proposal.is_exact));
    row.files.push_back(row_of(file));
  }
  json data = {{"message", without_secret_bytes(proposal.message)},
               {"notes", without_secret_bytes(json(proposal.notes))},
               {"replaces", proposal.replaces},
               {"checked", name_of(proposal.verification.state)},
               {"newProblems", proposal.verification.new_problems},
               {"by", proposal.verification.by},
               {"byServers", proposal.verification.by_servers},
               {"outdated", proposal.verification.outdated},
               {"syntaxChecked", proposal.verification.syntax_checked},
               {"found", without_secret_bytes(proposal.verification.found)},
               {"folders", without_secret_bytes(json(proposal.made_folders))},
               {"files", std::move(files)}};
  if (proposal.is_exact) data["exact"] = true;
  row.data = text_of_json(data);
  return row;
}

ProposalRow row_meanwhile(Proposal before, const Proposal& after, const std::string& session,
                          const std::string& workspace) {
  bool makes = false;  // else it undoes
  for (size_t i = 0; i < before.files.size(); ++i) {
    for (size_t j = 0; j < before.files[i].hunks.size(); ++j) {
      ProposedHunk& hunk = before.files[i].hunks[j];
      const bool will_be = after.files[i].hunks[j].state == State::applied;
      hunk.is_offered = will_be != (hunk.state == State::applied);
      makes |= hunk.is_offered && will_be;
    }
  }
  ProposalRow row = row_of(before, session, workspace);
  if (row.outcome.empty()) row.outcome = row.state;
  row.state = name_of(Proposal::State::partly);
  row.applied = row.created;  // which is now
  row.results.clear();        // of what it undoes they stay
  if (makes) row.results = row_of(after, session, workspace).results;
  return row;
}

void keep_proposal(History& history, Proposal proposal, const std::string& session,
                   const std::string& workspace, bool is_written) {
  const size_t bytes = proposal.bytes();
  history.write(
      bytes, [proposal = std::move(proposal), session, workspace, is_written](HistoryStore& store) {
        store.put_proposal(row_of(proposal, session, workspace), is_written);
      });
}

bool is_kept_in_part(const ProposedFile& file) {
  const json kept = json_of(file, false);
  return std::ranges::any_of(at(kept, "hunks"),
                             [](const json& hunk) { return at(hunk, "hasSecret") == true; });
}

Result<Proposal> proposal_of(const ProposalRow& row) {
  const auto damaged = fail(Error::Code::unavailable,
                            "The history's record of the proposal " + row.id + " is damaged.");
  Proposal proposal;
  proposal.id = row.id;
  proposal.ask_id = row.ask;
  proposal.title = row.title;
  proposal.workspace = row.workspace;
  const auto data = parse_object(row.data);
  const auto state = by_name(row.state == "asked" ? "discarded" : row.state,  // redo makes it, too
                             Proposal::State::discarded);
  if (!data || !state) return damaged;
  proposal.state = *state;
  proposal.message = string_at(*data, "message");
  proposal.replaces = string_at(*data, "replaces");
  for (const json& folder : at(*data, "folders"))
    if (folder.is_string()) proposal.made_folders.insert(folder.get<std::string>());
  proposal.is_exact = at(*data, "exact") == true;
  if (const json& notes = at(*data, "notes"); notes.is_array()) {
    for (const json& note : notes)
      if (note.is_string()) proposal.notes.push_back(note.get<std::string>());
  }
  Verification& verification = proposal.verification;
  const std::string checked = string_at(*data, "checked");
  // Earlier versions had other names.
  const std::string now = checked == "verified" ? "clean"
                          : checked == "failed" ? "problems"
                                                : checked;
  verification.state =
      by_name(now, Verification::State::not_checked).value_or(Verification::State::not_checked);
  verification.new_problems = static_cast<int>(int_at(*data, "newProblems"));
  verification.by = string_at(*data, "by");
  verification.by_servers = at(*data, "byServers") == true;
  verification.outdated = string_at(*data, "outdated");
  verification.syntax_checked = at(*data, "syntaxChecked") == true;
  verification.found = string_at(*data, "found");
  if (verification.found.empty() && verification.state != Verification::State::not_checked)
    verification.found = verification.by;
  const json& files = at(*data, "files");
  if (!files.is_array() || files.empty()) return damaged;
  size_t index = 0;
  for (const json& each : files) {
    auto file = file_in(each);
    if (!file) return damaged;
    for (const ProposedHunk& hunk : file->hunks)
      if (hunk.index != index++) return damaged;
    proposal.files.push_back(*std::move(file));
  }
  return proposal;
}

void compare_with_now(ProposedFile& file, const Text& now, bool files_decide) {
  // Exact texts have their secrets; others have stars for them, and are as long.
  const bool has_secrets = without_secret_bytes(file.text.str()) != file.text.str();
  take_unseen_change(file, has_secrets ? now : Text(without_secret_bytes(now.str())), files_decide);
  file.text = now;
  for (ProposedHunk& hunk : file.hunks)
    if (hunk.has_secret && hunk.has_old_text()) hunk.state = State::stale;
}

}  // namespace bodkin
