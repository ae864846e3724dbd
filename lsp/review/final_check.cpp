#include "lsp/review/final_check.h"

#include <fmt/format.h>

#include <utility>

#include "agent/support/encoding.h"
#include "agent/support/read_file.h"
#include "edits/text/line_keys.h"
#include "lsp/review/landing.h"
#include "lsp/sessions/proposal_draft.h"
#include "lsp/sessions/unseen_change.h"
#include "lsp/workspace/disk.h"

namespace bodkin::lsp {

namespace {

using State = ProposedHunk::State;

// A file that is where one of these hunks creates one, or moves one to; or "".
std::string occupied_path(const Proposal& proposal, const std::vector<size_t>& hunks,
                          const Documents& documents) {
  for (const ProposedFile& file : proposal.files) {
    const bool is_taken = has_listed(file, &hunks);
    if (is_taken && is_occupied(file, documents))
      return file.kind == ProposedFile::Kind::create ? file.name.path : file.moved_to->path;
  }
  return "";
}

// A file that is not open and not in UTF-8: the editor would load it in the encoding that it
// assumes, and save it so. Empty if there is none.
std::string encoded_file(const Proposal& proposal, const std::vector<size_t>& hunks,
                         const Documents& documents) {
  for (const ProposedFile& file : proposal.files) {
    const bool is_taken = has_listed(file, &hunks);
    if (!is_taken || file.name.file.is_buffer() || documents.find(file.name.file)) continue;
    const auto disk = read_encoded(file.name.file.full(), file.name.file.folder);
    if (disk && !disk->encoding.empty() && file.kind == ProposedFile::Kind::update &&
        !is_same_encoding(disk->encoding, documents.loading_encoding()))
      return fmt::format("{} is in {}; open it first, in that encoding", file.name.path,
                         disk->encoding);
  }
  return "";
}

// Encodings that editors take files for, as iconv calls them.
constexpr const char* kEncodings[] = {"windows-1252", "iso-8859-1",   "iso-8859-15", "iso-8859-2",
                                      "windows-1250", "windows-1251", "koi8-r",      "shift_jis",
                                      "euc-jp",       "gbk",          "gb18030",     "big5",
                                      "euc-kr",       "utf-16le"};

// The characters that an open file would lose when it is saved, because its encoding lacks them: as
// the editor says, else judged by its text and its bytes. Empty: none, or it cannot be told.
std::string lost_in_encoding(const Proposal& proposal, const std::vector<size_t>& hunks,
                             const Documents& documents) {
  for (const ProposedFile& file : proposal.files) {
    std::string added;
    for (const ProposedHunk& hunk : file.hunks)
      if (is_listed(hunk, &hunks) && !is_ascii(hunk.new_text)) added += hunk.new_text;
    const Document* document = documents.find(file.name.file);
    if (!document || document->real.empty()) continue;
    std::string why;
    if (!is_utf8_name(document->encoding)) {
      // Each encoding that an editor loads text in has ASCII, and the Unicode ones have all.
      if (added.empty() || document->encoding.starts_with("utf")) continue;
      if (const auto can = encoded(added, document->encoding); !can) why = can.error().message;
      if (why.empty()) continue;
      return fmt::format("{} cannot be saved in its encoding: {}", file.name.path, why);
    }
    const auto bytes = read_file(document->real, document->text.size() * 4);
    if (!bytes || is_utf8(*bytes)) continue;
    if (document->text.str().find("\xEF\xBF\xBD") != std::string::npos)
      return file.name.path +
             " is not UTF-8, and the editor has put other characters for some of its bytes; open "
             "it in its encoding";
    if (added.empty()) continue;
    for (const char* encoding : kEncodings) {
      const auto saved = encoded(document->text.str(), encoding);
      if (!saved || *saved != *bytes) continue;
      const auto can = encoded(added, encoding);
      if (can) {
        why.clear();
        break;
      }
      if (why.empty()) why = can.error().message;
    }
    if (!why.empty())
      return fmt::format("{} cannot be saved in its encoding: {}", file.name.path, why);
  }
  return "";
}

}  // namespace

bool is_occupied(const ProposedFile& file, const Documents& documents) {
  const bool creates = file.kind == ProposedFile::Kind::create;
  if (!creates && !file.moved_to) return false;
  const ProposedName& name = creates ? file.name : *file.moved_to;
  const Document* document = documents.find(name.file);
  if (document && document->text.size() > 0) return true;
  if (name.file.is_buffer()) return false;
  const auto found = read_from_disk(name.file.full(), "");
  return found || found.error().code != Error::Code::not_found;
}

void read_from_disk_again(Proposal& proposal, const Documents& documents) {
  for (ProposedFile& file : proposal.files) {
    file.is_gone = false;
    if (documents.find(file.name.file)) continue;
    if (file.name.file.is_buffer()) continue;
    const auto text = read_from_disk(file.name.file.full(), file.name.file.folder);
    file.is_gone = file.kind != ProposedFile::Kind::create && !text &&
                   text.error().code == Error::Code::not_found;
    const Text now = text ? *text : Text();
    take_unseen_change(file, now);
  }
}

bool is_undone_on_disk(const Proposal& proposal, const Documents& documents) {
  for (const ProposedFile& file : proposal.files) {
    if (!documents.find(file.name.file) || file.name.file.is_buffer()) continue;
    const auto text = read_from_disk(file.name.file.full(), file.name.file.folder);
    if (!text && text.error().code != Error::Code::not_found) continue;
    ProposedFile on_disk = file;
    take_unseen_change(on_disk, text.value_or(Text()));
    for (size_t i = 0; i < file.hunks.size(); ++i)
      if (file.hunks[i].state == State::applied && on_disk.hunks[i].state == State::discarded)
        return true;
  }
  return false;
}

std::string why_no_places(const Proposal& proposal, const std::vector<size_t>& hunks,
                          const Documents& documents) {
  for (const ProposedFile& file : proposal.files) {
    if (file.kind == ProposedFile::Kind::remove || !has_listed(file, &hunks)) continue;
    if (file.text.has_lone_returns() || offer_of(file, &hunks).text.has_lone_returns())
      return lone_returns_in_words(file.name.path);
    const Document* const document = documents.find(file.name.file);
    if (document && document->lost) return file.name.path + " is out of sync with the editor";
  }
  return "";
}

// Decides: whether an edit is stale, just before it is sent.
std::expected<std::vector<size_t>, NotSent> final_check(Proposal& proposal,
                                                        const std::vector<size_t>* only,
                                                        const Documents& documents) {
  const auto refused = [](std::optional<Proposal::State> state, std::string why) {
    return std::unexpected(NotSent{state, "Not applied: " + std::move(why)});
  };
  read_from_disk_again(proposal, documents);
  std::vector<size_t> hunks;
  size_t gone = 0;
  for (ProposedFile& file : proposal.files) {
    const Document* document = documents.find(file.name.file);
    const bool lost = document && (document->lost || !(document->text == file.text));
    for (ProposedHunk& hunk : file.hunks) {
      if (!is_listed(hunk, only)) continue;
      // The region must contain what the model saw.
      const bool is_part =
          file.kind == ProposedFile::Kind::remove && hunk.end - hunk.begin != file.text.size();
      const bool holds = !is_part && !hunk.has_secret &&
                         file.text.substr(hunk.begin, hunk.end - hunk.begin) == hunk.old_text;
      if (hunk.state == State::pending && (lost || !holds)) hunk.state = State::stale;
      if (hunk.state == State::pending) hunks.push_back(hunk.index);
      if (hunk.state == State::stale) ++gone;
    }
  }
  // All or nothing, unless the user chose hunks: what was proposed belongs together.
  if (gone > 0) {
    return refused(only ? std::nullopt : std::optional(Proposal::State::stale),
                   fmt::format("the text has changed since the proposal was made ({}). Ask again{}",
                               changed_places(proposal, only),
                               hunks.empty() ? "." : ", or apply the other changes one by one."));
  }
  if (hunks.empty())
    return std::unexpected(NotSent{std::nullopt, "This proposal has nothing left to apply."});
  if (auto why = why_not_applicable(proposal, &hunks))  // half of a move
    return std::unexpected(NotSent{std::nullopt, *std::move(why)});
  if (const auto why = why_no_places(proposal, hunks, documents); !why.empty())
    return refused(std::nullopt, why + ".");
  if (const auto place = occupied_path(proposal, hunks, documents); !place.empty())
    return refused(Proposal::State::stale, place + " already exists. Ask again.");
  if (const auto why = encoded_file(proposal, hunks, documents); !why.empty())
    return refused(std::nullopt, why + ".");
  if (const auto why = lost_in_encoding(proposal, hunks, documents); !why.empty())
    return refused(std::nullopt, why + ".");
  if (const auto may = check_landings(proposal, &hunks); !may)
    return refused(Proposal::State::refused, may.error().message);
  // A user who applies single hunks has seen them in their current context.
  if (const std::string place = only ? "" : changed_surroundings(proposal); !place.empty()) {
    return refused(Proposal::State::stale,
                   "the text around " + place +
                       " has changed since the proposal was made. Ask again, or apply the changes "
                       "one by one.");
  }
  return hunks;
}

}  // namespace bodkin::lsp
