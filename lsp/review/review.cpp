#include "lsp/review/review.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "agent/rpc/uri.h"
#include "agent/support/shown_text.h"
#include "lsp/protocol/extensions.h"
#include "lsp/protocol/protocol.h"
#include "lsp/review/workspace_edit.h"
#include "lsp/workspace/disk.h"

namespace bodkin::lsp {

std::string Review::add(const std::vector<DraftFile>& files, Made made) {
  Proposal proposal;
  proposal.id = fmt::format("p{}", next_id_++);
  proposal.ask_id = std::move(made.ask_id);
  proposal.title = plain_line(made.title);
  for (const std::string& note : made.notes) proposal.notes.push_back(plain(note));
  proposal.replaces = std::move(made.replaces);
  proposal.verification = std::move(made.verification);
  proposal.files = proposed_files(files);
  for (ProposedFile& file : proposal.files) {
    file.uri = documents_.uri_of(file.path, made.roots);
    if (file.moved_to) file.moved_to_uri = documents_.uri_of(*file.moved_to, made.roots);
    take_names(file);
    bind(file, made.roots);
    // The person may have typed since the model was asked.
    if (const Document* document = documents_.find(file.uri)) {
      if (!(document->text == file.text)) {
        track(file, difference(file.text, document->text));
        settle(file);
        forget_verification(proposal);
      }
    }
  }
  update_state(proposal);
  const std::string id = proposal.id;
  if (const auto old = proposals_.find(proposal.replaces); old != proposals_.end()) {
    replace(old->second);
  }
  forget_superfluous();
  meant_ = id;
  announce(proposals_.emplace(id, std::move(proposal)).first->second, made.quiet);
  return id;
}

void Review::forget_superfluous() {
  const auto is_busy = [&](const std::string& id) { return watches_.contains(id); };
  for (const std::string& id : superfluous(proposals_, is_busy)) {
    Proposal forgotten = std::move(proposals_.extract(id).mapped());
    in_flight_.erase(id);
    if (not_applied) not_applied(id);
    if (!forgotten.is_open()) continue;
    forgotten.state = Proposal::State::discarded;
    forgotten.message = "Dropped: there are too many newer proposals.";
    publish_all(forgotten);
    tell(forgotten, false);
  }
}

void Review::take_names(ProposedFile& file) const {
  file.path = documents_.path_of(file.uri);
  if (file.moved_to_uri) file.moved_to = documents_.path_of(*file.moved_to_uri);
}

// What the file's name means now it must still mean when the edit leaves.
void Review::bind(ProposedFile& file, const Roots& roots) {
  const auto absolute = path_of_uri(file.uri);
  const auto place = absolute ? roots.find_absolute(*absolute) : std::nullopt;
  if (!place) return;
  file.folder = place->root.folder;
  file.lands = landing(file, file.uri).value_or("");
  if (file.moved_to_uri) file.other_lands = landing(file, *file.moved_to_uri).value_or("");
}

void Review::folders_changed() {
  for (auto& [id, proposal] : proposals_) {
    for (ProposedFile& file : proposal.files) take_names(file);
  }
}

// A verdict is of one content: what was changed since, or is only a part, is "not checked".
void Review::forget_verification(Proposal& proposal) {
  if (proposal.verification.state == Verification::State::failed) return;
  proposal.verification = {};
}

void Review::replace(Proposal& old) {
  if (!old.is_open()) return;
  for (ProposedFile& file : old.files) {
    for (ProposedHunk& hunk : file.hunks) {
      if (hunk.state != ProposedHunk::State::applied) hunk.state = ProposedHunk::State::discarded;
    }
  }
  update_state(old);
  old.message = "Replaced by a newer version.";
  publish_all(old);
  tell(old, false);
}

Json json_of(const Verification& verification) {
  return {{"state", name_of(verification.state)},
          {"newProblems", verification.new_problems},
          {"by", verification.by}};
}

const Proposal* Review::find(const std::string& id) const {
  const auto found = proposals_.find(id);
  return found == proposals_.end() ? nullptr : &found->second;
}

std::string Review::newest_open() const {
  for (const auto& [id, proposal] : proposals_ | std::views::reverse) {
    if (proposal.is_open()) return id;
  }
  return "";
}

Result<void> Review::discard(const std::string& given, const std::vector<size_t>* only) {
  const auto found = chosen(given, only);
  if (!found) return std::unexpected(found.error());
  Proposal& proposal = **found;
  using State = ProposedHunk::State;
  size_t left = 0, in_place = 0;
  for (ProposedFile& file : proposal.files) {
    for (ProposedHunk& hunk : file.hunks) {
      if (only && std::ranges::find(*only, hunk.index) == only->end()) continue;
      if (hunk.state == State::applied) ++in_place;
      if (hunk.state != State::pending && hunk.state != State::stale) continue;
      hunk.state = State::discarded;
      hunk.was_applied = false;
      ++left;
    }
  }
  if (left == 0) {
    return fail(Error::Code::unavailable,
                named(proposal) + (in_place > 0 ? " was already applied; bodkin.undo reverts it."
                                                : " was already discarded."));
  }
  forget_verification(proposal);
  update_state(proposal);
  proposal.message = proposal.state == Proposal::State::discarded ? "Discarded." : "";
  publish_all(proposal);
  tell(proposal, false);
  return {};
}

Result<Proposal*> Review::chosen(const std::string& given, const std::vector<size_t>* only) {
  const auto found = proposals_.find(given.empty() ? meant_ : given);
  if (found == proposals_.end()) {
    return fail(Error::Code::not_found,
                given.empty() ? "No pending proposal." : "No such proposal: " + given + ".");
  }
  Proposal& proposal = found->second;
  if (only) {
    for (const size_t index : *only) {
      if (hunk_at(proposal, index)) continue;
      return fail(Error::Code::not_found,
                  fmt::format("{} has no hunk {}; it has {}, counted from 0.", named(proposal),
                              index, counted(proposal.hunk_count(), "hunk")));
    }
  }
  if (proposal.state == Proposal::State::applying) {
    return fail(Error::Code::unavailable, "The editor is still applying " + named(proposal) + ".");
  }
  return &proposal;
}

void Review::set_verification(const std::string& id, const Verification& verification,
                              const std::string& message) {
  const auto found = proposals_.find(id);
  if (found == proposals_.end()) return;
  found->second.verification = verification;
  found->second.message = message;
  tell(found->second, true);
}

void Review::set_offered(const std::string& id, const std::vector<size_t>* only) {
  const auto found = proposals_.find(id);
  if (found == proposals_.end() || found->second.state == Proposal::State::applying) return;
  for (ProposedFile& file : found->second.files) file.offered = offer_of(file, only);
}

Json Review::list() const {
  Json result = Json::array();
  for (const auto& [id, proposal] : proposals_) {
    result.push_back({{"id", id},
                      {"title", proposal.title},
                      {"files", proposal.files.size()},
                      {"hunks", proposal.hunk_count()},
                      {"state", name_of(proposal.state)},
                      {"verification", json_of(proposal.verification)}});
    if (!proposal.notes.empty()) result.back()["notes"] = proposal.notes;
  }
  return {{"proposals", std::move(result)}};
}

Result<Json> Review::content(const std::string& given, const std::string& uri) const {
  const Proposal* proposal = find(given.empty() ? newest_open() : given);
  if (!proposal) return fail(Error::Code::not_found, "No such proposal.");
  const std::string path = documents_.path_of(uri);
  for (const ProposedFile& file : proposal->files) {
    if (!documents_.is_same(file.uri, uri)) continue;
    const Document* document = documents_.find(file.uri);
    return Json{{"text", offer_of(file, nullptr).text.str()},
                {"version", document ? Json(document->version) : Json()},
                {"hunks", hunks_of(file, documents_.encoding())}};
  }
  return fail(Error::Code::not_found, "The proposal does not change " + path + ".");
}

void Review::document_changed(const std::string& uri, const std::vector<Replacement>& changes) {
  const Document* document = documents_.find(uri);
  if (!document || proposals_.empty()) return;
  for (auto& [id, proposal] : proposals_) {
    for (ProposedFile& file : proposal.files) {
      if (documents_.is_same(file.uri, document->uri)) take(proposal, file, changes);
    }
  }
  look_soon();
}

// The old name is there again: by our undo, or the editor's, which leaves nothing at the new one.
bool Review::is_renamed_back(const std::string& id, const ProposedFile& file) const {
  if (const auto watch = watches_.find(id); watch != watches_.end()) return watch->second.undo;
  const auto place = path_of_uri(file.uri);
  return place && !stamp_of(*place);
}

void Review::document_opened(const std::string& uri) {
  const Document* document = documents_.find(uri);
  if (!document || proposals_.empty()) return;
  for (auto& [id, proposal] : proposals_) {
    for (ProposedFile& file : proposal.files) {
      if (watches_.contains(id) && file.moved_to_uri &&
          documents_.is_same(*file.moved_to_uri, document->uri) && !documents_.find(file.uri)) {
        adopt_new_name(file);
      } else if (file.moved_from == document->path && !documents_.find(file.uri) &&
                 is_renamed_back(id, file)) {
        adopt_old_name(file);
      }
      if (!documents_.is_same(file.uri, document->uri)) continue;
      file.uri = document->uri;
      std::vector<Replacement> changes;
      if (!(file.text == document->text)) {
        changes.push_back(difference(file.text, document->text));
      }
      take(proposal, file, changes);
    }
  }
  look_soon();
}

void Review::take(Proposal& proposal, ProposedFile& file, const std::vector<Replacement>& changes) {
  // Of what was undone the editor's own redo is still seen.
  if (proposal.state == Proposal::State::discarded && proposal.applied_at == 0) return;
  const auto before = proposal.state;
  const bool was_in_place = proposal.count(ProposedHunk::State::applied) > 0;
  for (const Replacement& change : changes) track(file, change);
  const bool changed = settle(file);
  if (watches_.contains(proposal.id)) return;
  const std::string checked = in_words(proposal.verification);
  if (!changes.empty() && proposal.is_open()) forget_verification(proposal);
  update_state(proposal);
  const bool is_undone = was_in_place && proposal.count(ProposedHunk::State::applied) == 0;
  if (!changed && proposal.state == before) {
    if (proposal.is_open()) publish_soon(file.uri);
    if (proposal.is_open() && in_words(proposal.verification) != checked) tell(proposal, false);
    return;
  }
  proposal.verification = {};
  proposal.message = proposal.state == Proposal::State::stale
                         ? "The text it would replace has changed."
                     : is_undone ? "Undone."
                                 : "";
  publish_now_or_soon(proposal);
  tell(proposal, false);
  if (is_undone && undone) undone(proposal);
  if (!was_in_place && proposal.count(ProposedHunk::State::applied) > 0) {
    proposal.applied_at = ++applied_count_;
  }
  // Taken through a code action, which has no answer of its own.
  if (proposal.state == Proposal::State::applied && before != proposal.state) {
    if (applying) applying(proposal);
    if (applied) applied(proposal);
  }
}

void Review::document_closed(const std::string& uri) { published_.erase(uri); }

}  // namespace bodkin::lsp
