#include "lsp/server/earlier_sessions.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "agent/platform/paths.h"
#include "agent/support/real_path.h"
#include "agent/support/shown_text.h"
#include "lsp/protocol/extensions.h"
#include "lsp/sessions/history_text.h"
#include "lsp/sessions/proposal_draft.h"
#include "lsp/sessions/proposal_record.h"
#include "lsp/workspace/disk.h"

namespace bodkin::lsp {

namespace {

constexpr size_t kMaxSessions = 200;  // in a list
constexpr size_t kMaxRestored = 20;   // proposals
// An editor that reloads starts the next server before it has ended the last.
constexpr int kTries = 20;
constexpr std::chrono::milliseconds kRetry{250};

// "/one and /two"
std::string in_words_of_folders(const std::string& workspace) {
  std::string words = workspace;
  for (size_t at = 0; (at = words.find('\n', at)) != words.npos;) words.replace(at, 1, " and ");
  return words.empty() ? "no folder" : plain_line(words);
}

Json json_of(const SessionRow& row, bool is_running) {
  Json result = {
      {"id", row.id},           {"title", plain_line(row.title)},
      {"created", row.created}, {"used", row.used},
      {"asks", row.asks},       {"usage", {{"input", row.input}, {"output", row.output}}},
      {"running", is_running},  {"answered", row.is_answered},
      {"outcome", row.outcome}};
  if (row.cost) result["usage"]["costUsd"] = *row.cost;
  if (!row.proposal.empty()) result["proposal"] = row.proposal;
  return result;
}

std::unexpected<Error> of_another_workspace(const std::string& title,
                                            const std::string& workspace) {
  return fail(Error::Code::invalid_input,
              "The session “" + plain_line(title) +
                  "” belongs to another workspace: " + in_words_of_folders(workspace) + ".");
}

// The texts of now: of what is open, else the disk's. Each is read once.
HistoryStore::HashNow hash_now(const Documents& documents) {
  using Hash = std::optional<std::string>;
  std::map<std::string, Text> open;
  for (const auto& [uri, document] : documents.all()) open.emplace(document.path, document.text);
  return [open = std::move(open), roots = documents.roots(), known = std::map<std::string, Hash>()](
             const std::string&, const std::string& path) mutable -> Hash {
    const auto [place, is_new] = known.try_emplace(path);
    if (!is_new) return place->second;
    if (const auto found = open.find(path); found != open.end()) {
      place->second = address_of(found->second.str());
    } else if (const auto file = roots.find(path)) {
      if (const auto text = read_from_disk(file->absolute, file->root.folder))
        place->second = address_of(text->str());
    }
    return place->second;
  };
}

// The proposal under the names that its files have where it was logged: what another program has
// logged in a folder has their real paths there.
Proposal logged(Proposal proposal) {
  const std::string& folder = proposal.workspace;
  if (folder.empty() || folder.contains('\n')) return proposal;
  for (ProposedFile& file : proposal.files) {
    for (ProposedName* name : names_of(file)) {
      auto inside = path_below(name->file.full(), folder);
      if (!inside && proposal.is_exact) {
        std::error_code error;
        inside = path_below(os::text_of(os::weakly_canonical(name->file.full(), error)), folder);
      }
      if (!inside) continue;
      name->path = *inside;
      if (proposal.is_exact && name->file.folder != folder) {
        name->file = {folder, *inside};
        name->lands = *inside;
      }
    }
  }
  return proposal;
}

}  // namespace

void EarlierSessions::serve(Router& router) {
  router.on_own_request(kListSessions, "",
                        [this](const Arguments&, Reply reply) { list(std::move(reply)); });
  router.on_own_request(kReadSession, "sessionId", [this](const Arguments& arguments, Reply reply) {
    read(arguments.session_id, std::move(reply));
  });
  router.on_own_request(kRenameSession, "sessionId, name",
                        [this](const Arguments& arguments, Reply reply) {
                          change(arguments.session_id, std::move(reply),
                                 [id = arguments.session_id, title = plain_line(arguments.name)](
                                     HistoryStore& store) { store.set_title(id, title); });
                        });
  router.on_own_request(
      kDeleteSession, "sessionId", [this](const Arguments& arguments, Reply reply) {
        const std::string& id = arguments.session_id;
        if (asks_.is_busy(id))
          return reply.error(ErrorCode::request_failed, "The session is running; cancel it first.");
        change(id, std::move(reply), [id](HistoryStore& store) { store.forget(id); });
      });
}

void EarlierSessions::list(Reply reply) {
  using Rows = Result<std::vector<SessionRow>>;
  history_.read(
      loop_,
      [workspace = documents_.roots().key(), now = hash_now(documents_)](HistoryStore& store) {
        Rows rows = store.sessions(&workspace, kMaxSessions);
        for (SessionRow& row : *rows) {
          // It is news if it is not there any more, but not that the user has gone on since.
          const std::string outcome = store.outcome_now(row.proposal_id, now);
          if (outcome.ends_with(", reverted since")) row.proposal = outcome;
        }
        return rows;
      },
      [this, held = std::make_shared<Reply>(std::move(reply))](const Rows& rows) {
        if (!rows) return held->error(rows.error());
        Json sessions = Json::array();
        for (const SessionRow& row : *rows) sessions.push_back(json_of(row, asks_.is_busy(row.id)));
        held->result({{"sessions", std::move(sessions)}});
      });
}

void EarlierSessions::read(const std::string& id, Reply reply) {
  history_.read(
      loop_,
      [id, workspace = documents_.roots().key()](HistoryStore& store) {
        auto shown = store.show_session(id);
        if (shown && !share_folder(shown->row.workspace, workspace))
          shown = of_another_workspace(shown->row.title, shown->row.workspace);
        return shown;
      },
      [held = std::make_shared<Reply>(std::move(reply))](const Result<ShownSession>& shown) {
        if (!shown) return held->error(shown.error());
        held->result({{"title", plain_line(shown->row.title)},
                      {"text", visible(markdown_of(*shown, Detail::said))}});
      });
}

void EarlierSessions::load(const std::string& id,
                           const std::function<void(Result<LoadedSession>)>& then) {
  history_.read(
      loop_,
      [id, workspace = documents_.roots().key()](HistoryStore& store) {
        auto loaded = store.load_session(id);
        if (loaded && !share_folder(loaded->workspace, workspace))
          loaded = of_another_workspace(loaded->title, loaded->workspace);
        return loaded;
      },
      then);
}

void EarlierSessions::change(const std::string& id, Reply reply,
                             std::function<void(HistoryStore&)> change) {
  load(id, [this, held = std::make_shared<Reply>(std::move(reply)),
            change = std::move(change)](const Result<LoadedSession>& found) {
    if (!found) return held->error(found.error());
    history_.write(0, change);  // before whatever is read from now on
    held->result(Json::object());
  });
}

void EarlierSessions::find_session(const std::string& id, const Then& then) {
  if (id.empty() || asks_.knows(id)) return then(id);
  load(id, [this, then](Result<LoadedSession> loaded) {
    if (!loaded) return then(std::unexpected(loaded.error()));
    const std::string id = loaded->id;
    asks_.adopt(*std::move(loaded));
    then(id);
  });
}

void EarlierSessions::find_proposal(const std::string& id, const Then& then) {
  if (!id.empty() && proposals_.find(id)) return bring_up_to_date(id, then);
  history_.read(
      loop_,
      [id, workspace = documents_.roots().key()](HistoryStore& store) -> Result<Proposal> {
        const auto row = store.load_proposal(id, workspace, {}, true);
        if (!row || store.is_of(*row, workspace)) return proposal_of(row);
        return fail(Error::Code::invalid_input, "The proposal " + id +
                                                    " belongs to another workspace: " +
                                                    in_words_of_folders(row->workspace) + ".");
      },
      [this, id, then](Result<Proposal> loaded) {
        if (!loaded) return reply_with_last(id, loaded.error(), then);
        const std::string last = loaded->id;
        if (!proposals_.find(last)) applier_.restore(*std::move(loaded), false);
        then(last);
      });
}

void EarlierSessions::bring_up_to_date(const std::string& id, const Then& then) {
  const Proposal* const held = proposals_.find(id);
  if (!held || !held->any_hunk(&ProposedHunk::was_applied)) return then(id);
  history_.read(
      loop_, [id](HistoryStore& store) { return proposal_of(store.load_proposal(id, "")); },
      [this, id, then](const Result<Proposal>& kept) {
        applier_.bring_up_to_date(id, kept ? &*kept : nullptr);
        then(id);
      });
}

void EarlierSessions::name_older(const std::string& id, const Error& why,
                                 const std::function<void(const Error&)>& then) {
  history_.read(
      loop_,
      [id, workspace = documents_.roots().key()](HistoryStore& store) {
        return proposal_of(store.load_proposal("", workspace, {id}, true));
      },
      [why, then](const Result<Proposal>& older) {
        Error words = why;
        if (older)
          words.message +=
              " An earlier change, " + named(*older) + ", is undone by its id, " + older->id + ".";
        then(words);
      });
}

void EarlierSessions::find_undone(const Then& then) {
  const std::string workspace = documents_.roots().key();
  history_.read(
      loop_, [workspace](HistoryStore& store) { return proposal_of(store.load_undone(workspace)); },
      [this, workspace, then](Result<Proposal> loaded) {
        const Proposal* const own = proposals_.find(proposals_.last_put_aside());
        if (!loaded || !share_folder(loaded->workspace, workspace) ||
            (own && last_put_aside(*own) >= last_put_aside(*loaded)))
          return then("");
        const std::string id = loaded->id;
        if (const Proposal* held = proposals_.find(id); held && applier_.is_in_open_file(*held)) {
          applier_.bring_up_to_date(id, &*loaded);  // it knows what the user has typed there
          return then(proposals_.last_put_aside() == id ? "" : id);
        }
        proposals_.drop(id);  // held as applied: another process has undone it
        applier_.restore(*std::move(loaded), false);
        then("");
      });
}

// This server's own changes can be undone without a history.
void EarlierSessions::reply_with_last(const std::string& id, const Error& error, const Then& then) {
  const std::string last = id.empty() ? proposals_.last_applied() : "";
  last.empty() ? then(std::unexpected(error)) : then(last);
}

void EarlierSessions::restore_open() {
  if (documents_.roots().empty()) return;  // those of all files that were ever open alone
  std::error_code ignored;
  if (std::filesystem::exists(history_.path(), ignored)) restore_open(kTries);
}

void EarlierSessions::take_lease() {
  if (lease_) return;
  if (auto lease = Lease::take(history_.path(), documents_.roots().key()))
    lease_ = std::make_unique<Lease>(*std::move(lease));
}

void EarlierSessions::restore_open(int tries) {
  const std::string workspace = documents_.roots().key();
  take_lease();
  if (!lease_ && tries > 0)
    return loop_.post_after(kRetry, [this, tries] { restore_open(tries - 1); });
  if (!lease_) return;
  history_.read(
      [this, workspace](HistoryStore& store) {
        std::vector<Proposal> open;
        for (const ProposalRow& row : store.open_proposals(workspace, kMaxRestored))
          if (auto proposal = proposal_of(row)) open.push_back(*std::move(proposal));
        for (Proposal& each : open) {  // one at a time: they are read from the disk
          loop_.post([this, proposal = std::move(each)] {
            if (proposals_.find(proposal.id)) return;
            applier_.restore(proposal, true);
            const Proposal* now = proposals_.find(proposal.id);
            if (now && (proposal.any_hunk(&ProposedHunk::is_offered) || !now->is_open()))
              keep(*now);
          });
        }
      },
      [](const Error&) {});  // the user has been told
}

void EarlierSessions::keep(const Proposal& proposal) {
  if (proposal.state == Proposal::State::applying || !proposal.is_kept) return;
  take_lease();
  keep_proposal(history_, logged(proposal), asks_.session_of(proposal.ask_id),
                workspace_of(proposal));
}

void EarlierSessions::keep_offer(const Proposal& proposal) {
  constexpr std::chrono::seconds kPatience{1};
  if (!proposal.is_kept || !history_.is_kept()) return;
  take_lease();
  Proposal after = logged(proposal);
  for (ProposedFile& file : after.files) {
    using State = ProposedHunk::State;
    const auto is_offered = [](const ProposedHunk& hunk) { return hunk.is_offered; };
    if (!file.offered || std::ranges::none_of(file.hunks, is_offered)) continue;
    const Offer offer = *file.offered;
    become(file, offer, offer.undo ? State::discarded : State::applied);
  }
  history_.write(2 * proposal.bytes(), [before = logged(proposal), after = std::move(after),
                                        session = asks_.session_of(proposal.ask_id),
                                        workspace = workspace_of(proposal)](HistoryStore& store) {
    store.put_proposal(row_meanwhile(before, after, session, workspace));
  });
  (void)history_.written(kPatience);
}

void EarlierSessions::forget(const std::string& id) {
  history_.write(0, [id](HistoryStore& store) { store.forget(id); });
}

bool EarlierSessions::is_on_its_way(const std::string& id, const std::string& folder,
                                    const std::vector<ChangedFile>& files) {
  if (id.empty() || !history_.written(std::chrono::seconds(1))) return false;
  auto row = history_.read_now([&](HistoryStore& store) {
    auto found = store.load_proposal(id, "");
    if (found) store.load_texts(*found);
    return found;
  });
  return row && row->workspace == folder && row->outcome == name_of(Proposal::State::unknown) &&
         std::ranges::all_of(files, [&](const ChangedFile& file) {
           return std::ranges::count(row->files, file.path, &ChangedFile::path) == 1;
         });
}

std::string EarlierSessions::workspace_of(const Proposal& proposal) const {
  return proposal.workspace.empty() ? documents_.roots().key() : proposal.workspace;
}

}  // namespace bodkin::lsp
