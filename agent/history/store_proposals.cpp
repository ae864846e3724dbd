#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "agent/history/hidden.h"
#include "agent/history/store.h"
#include "agent/support/json.h"
#include "agent/support/real_path.h"
#include "agent/support/wire_json.h"

namespace bodkin {

namespace {

ProposalRow proposal_in(const Statement& row) {
  ProposalRow proposal{row.text(0), row.text(1), row.text(2),  row.text(3),
                       row.text(4), row.text(5), row.number(6)};
  if (!row.is_null(7)) proposal.applied = row.number(7);
  proposal.outcome = row.text(9);
  if (!row.is_null(10)) proposal.undone = row.number(10);
  return proposal;
}

constexpr std::string_view kProposals =
    "SELECT id, session, ask, workspace, title, state, created, applied, data, outcome, undone "
    "FROM proposals ";

}  // namespace

std::string_view change_of(const ChangedFile& file) {
  return !file.before ? "create" : !file.after ? "remove" : "update";
}

void HistoryStore::put_proposal(const ProposalRow& row, bool replaces_files) {
  const auto kept = [&](const std::string& text) {
    return row.is_exact ? text : without_secret_bytes(text);
  };
  Statement insert(database_,
                   "INSERT INTO proposals VALUES (?, ?, ?, ?, ?, ?, ?, ?8, ?, "
                   "iif(?8 IS NULL, NULL, (SELECT coalesce(max(place), 0) + 1 FROM proposals)), "
                   "?, ?, ?8) "
                   "ON CONFLICT(id) DO UPDATE SET state = excluded.state, "
                   "applied = iif(excluded.applied IS NULL, NULL, "
                   "coalesce(applied, excluded.applied)), "
                   // A change that was undone and is applied again comes last, as if it were new.
                   "place = iif(excluded.applied IS NULL, NULL, "
                   "iif(coalesce(undone, 0) > coalesce(excluded.undone, 0), excluded.place, "
                   "coalesce(place, excluded.place))), "
                   "data = excluded.data, outcome = excluded.outcome, undone = excluded.undone, "
                   "begun = coalesce(begun, excluded.begun)");
  insert.bind(row.id)
      .bind(row.session)
      .bind(row.ask)
      .bind(row.workspace)
      .bind(kept(row.title))
      .bind(row.state)
      .bind(row.created);
  row.applied ? insert.bind(*row.applied) : insert.bind_null();
  insert.bind_bytes(deflated(row.data)).bind(row.outcome.empty() ? row.state : row.outcome);
  row.undone ? insert.bind(*row.undone) : insert.bind_null();
  insert.run();
  put_results(row);
  if (replaces_files)
    Statement(database_, "DELETE FROM files WHERE proposal = ?").bind(row.id).run();
  Statement known(database_, "SELECT 1 FROM files WHERE proposal = ?");
  if (known.bind(row.id).step()) return;
  int64_t number = 0;
  for (const ChangedFile& file : row.files) {
    const auto hash_of = [&](const std::optional<Text>& text) {
      return text ? put_text(kept(text->str())) : "";
    };
    const std::string before = hash_of(file.before), after = hash_of(file.after);
    Statement add(database_, "INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, ?)");
    add.bind(row.id)
        .bind(number++)
        .bind(kept(file.path))
        .bind(kept(file.rename_to.value_or("")))
        .bind(change_of(file));
    file.before ? add.bind_bytes(before) : add.bind_null();
    file.after ? add.bind_bytes(after) : add.bind_null();
    add.run();
  }
}

std::string HistoryStore::asked_once(const ProposalRow& row) {
  constexpr const char* kFiles =
      "SELECT path, moved_to, before, after FROM files WHERE proposal = ";
  const std::string of_this = std::string(kFiles) + "?2", of_that = std::string(kFiles) + "p.id";
  Statement equal(database_,
                  "SELECT id FROM proposals p WHERE workspace = ? AND state = 'asked' AND id <> ?2 "
                  "AND NOT EXISTS (" +
                      of_this + " EXCEPT " + of_that +
                      ") "
                      "AND NOT EXISTS (" +
                      of_that + " EXCEPT " + of_this + ")");
  if (!equal.bind(row.workspace).bind(row.id).step()) return row.id;
  const std::string id = equal.text(0);
  remove(row.id);
  Statement(database_, "UPDATE proposals SET created = ? WHERE id = ?")
      .bind(row.created)
      .bind(id)
      .run();
  return id;
}

void HistoryStore::move_session(const std::string& id, const std::string& workspace) {
  Statement(database_, "UPDATE sessions SET workspace = ? WHERE id = ?")
      .bind(workspace)
      .bind(id)
      .run();
}

void HistoryStore::move_proposal(const std::string& id, const std::string& workspace) {
  Statement(database_, "UPDATE proposals SET workspace = ? WHERE id = ?")
      .bind(workspace)
      .bind(id)
      .run();
}

std::vector<ProposalRow> HistoryStore::proposals_of(const std::string& ask) {
  std::vector<ProposalRow> result;
  Statement proposals(database_, std::string(kProposals) + "WHERE ask = ? ORDER BY created, id");
  proposals.bind(ask);
  while (proposals.step()) {
    ProposalRow& proposal = result.emplace_back(proposal_in(proposals));
    proposal.state = proposal.outcome;
    add_files(proposal, Texts::loaded);
  }
  return result;
}

void HistoryStore::add_files(ProposalRow& proposal, Texts texts) {
  const auto text_in = [&](const std::string& hash) {
    return Text(texts == Texts::loaded ? text_at(hash) : "");
  };
  Statement files(database_,
                  "SELECT path, moved_to, before, after FROM files WHERE proposal = ? "
                  "ORDER BY number");
  files.bind(proposal.id);
  while (files.step()) {
    ChangedFile& file = proposal.files.emplace_back();
    file.path = files.text(0);
    if (std::string to = files.text(1); !to.empty()) file.rename_to = std::move(to);
    if (!files.is_null(2)) file.before = text_in(files.text(2));
    if (!files.is_null(3)) file.after = text_in(files.text(3));
  }
}

void HistoryStore::load_texts(ProposalRow& proposal) {
  proposal.files.clear();
  add_files(proposal, Texts::loaded);
}

std::vector<std::string> HistoryStore::proposals_in_place(
    const std::string& workspace,
    const std::function<std::optional<Text>(const std::string& path)>& read) {
  std::map<std::string, std::string> known;  // the hash of each file; empty: there is none
  const auto hash_now = [&](const std::string& path) -> const std::string& {
    const auto [place, is_new] = known.try_emplace(path);
    if (is_new)
      if (const auto text = read(path)) place->second = address_of(text->str());
    return place->second;
  };
  Statement rows(database_,
                 "SELECT p.id, f.path, f.moved_to, f.after FROM proposals p JOIN files f ON "
                 "f.proposal = p.id WHERE p.ask = '' AND p.workspace = ? "
                 "ORDER BY p.created DESC, p.rowid DESC, f.number");
  rows.bind(workspace);
  std::vector<std::string> ids;
  std::string id;
  bool is_in_place = false;
  const auto end_of_one = [&] {
    if (is_in_place) ids.push_back(id);
  };
  while (rows.step()) {
    if (rows.text(0) != id) {
      end_of_one();
      id = rows.text(0);
      is_in_place = true;
    }
    if (!is_in_place) continue;
    const std::string path = rows.text(1), moved_to = rows.text(2);
    const std::string after = rows.is_null(3) ? "" : rows.text(3);
    is_in_place = hash_now(moved_to.empty() ? path : moved_to) == after &&
                  (moved_to.empty() || hash_now(path).empty());
  }
  end_of_one();
  return ids;
}

std::vector<ProposalRow> HistoryStore::proposals_without_ask() {
  std::vector<ProposalRow> result;
  Statement rows(database_,
                 std::string(kProposals) + "WHERE ask = '' ORDER BY created DESC, rowid DESC");
  while (rows.step()) {
    ProposalRow& proposal = result.emplace_back(proposal_in(rows));
    proposal.state = proposal.outcome;
    add_files(proposal, Texts::empty);
  }
  return result;
}

std::vector<ProposalRow> HistoryStore::open_proposals(const std::string& workspace, size_t limit) {
  std::vector<ProposalRow> result;
  Statement rows(database_, std::string(kProposals) +
                                "WHERE workspace = ? AND state IN ('ready', 'partly') "
                                "ORDER BY created DESC, id DESC LIMIT ?");
  rows.bind(workspace).bind(static_cast<int64_t>(limit));
  while (rows.step()) {
    auto data = inflated(rows.text(8));
    if (!data) continue;
    result.push_back(proposal_in(rows));
    result.back().data = *std::move(data);
  }
  std::ranges::reverse(result);
  return result;
}

// Whether it belongs to another folder, in which it changed only files below this one.
bool HistoryStore::is_below(const ProposalRow& proposal, const std::string& workspace) {
  const auto folders = folders_of(workspace);
  if (folders.empty() || proposal.workspace.contains('\n') || is_gone(proposal.workspace))
    return false;
  Statement files(database_, "SELECT path, moved_to FROM files WHERE proposal = ?");
  files.bind(proposal.id);
  while (files.step())
    for (const std::string& path : {files.text(0), files.text(1)})
      if (!path.empty() && std::ranges::none_of(folders, [&](std::string_view folder) {
            return lies_in(proposal.workspace + "/" + path, std::string(folder));
          }))
        return false;
  return !proposal.workspace.empty();
}

bool HistoryStore::is_of(const ProposalRow& proposal, const std::string& workspace) {
  return share_folder(proposal.workspace, workspace) || is_below(proposal, workspace);
}

Result<ProposalRow> HistoryStore::load_proposal(const std::string& id, const std::string& workspace,
                                                const std::set<std::string>& passed,
                                                bool or_below) {
  Statement row(database_,
                std::string(kProposals) +
                    (id.empty() ? "WHERE place IS NOT NULL ORDER BY place DESC" : "WHERE id = ?"));
  if (!id.empty()) row.bind(id);
  while (row.step()) {
    ProposalRow proposal = proposal_in(row);
    if (id.empty() &&
        (passed.contains(proposal.id) ||
         !(or_below ? is_of(proposal, workspace) : share_folder(proposal.workspace, workspace))))
      continue;
    auto data = inflated(row.text(8));
    if (!data) break;
    proposal.data = *std::move(data);
    return proposal;
  }
  if (database_.failure()) return fail(Error::Code::unavailable, database_.failure()->message);
  return fail(Error::Code::not_found,
              id.empty() ? "Nothing to undo." : "No such proposal: " + id + ".");
}

Result<ProposalRow> HistoryStore::load_undone(const std::string& workspace) {
  // In any state: a proposal of which a part was undone is still applied.
  Statement row(database_,
                std::string(kProposals) + "WHERE undone IS NOT NULL ORDER BY undone DESC");
  while (row.step()) {
    ProposalRow proposal = proposal_in(row);
    if (!is_of(proposal, workspace)) continue;
    auto data = inflated(row.text(8));
    if (!data) break;
    proposal.data = *std::move(data);
    Statement newer(database_, std::string(kProposals) + "WHERE begun > ? AND id <> ?");
    newer.bind(*proposal.undone).bind(proposal.id);
    while (newer.step())
      if (const ProposalRow other = proposal_in(newer); is_of(other, workspace))
        return fail(Error::Code::not_found, "Nothing to redo: “" + other.title +
                                                "” was applied after the last undo; that one is "
                                                "applied again by its id, " +
                                                proposal.id + ".");
    return proposal;
  }
  if (database_.failure()) return fail(Error::Code::unavailable, database_.failure()->message);
  return fail(Error::Code::not_found, "Nothing was undone.");
}

Result<std::string> HistoryStore::id_of(const std::string& words) {
  std::vector<std::string> found;
  Statement rows(database_,
                 "SELECT id FROM sessions WHERE substr(id, 1, length(?1)) = ?1 UNION "
                 "SELECT id FROM proposals WHERE substr(id, 1, length(?1)) = ?1 ORDER BY 1");
  rows.bind(words);
  while (rows.step()) found.push_back(rows.text(0));
  if (database_.failure()) return fail(Error::Code::unavailable, database_.failure()->message);
  if (found.empty())
    return fail(Error::Code::not_found, "No such session or change: " + words + ".");
  if (found.size() == 1 || found[0] == words) return found[0];  // the shortest one comes first
  return fail(Error::Code::invalid_input,
              fmt::format("{} ids begin with {}: {}, {}{}", found.size(), words, found[0], found[1],
                          found.size() > 2 ? ", …" : "."));
}

std::string HistoryStore::last_applied_of(const std::string& session) {
  Statement row(database_,
                "SELECT id FROM proposals WHERE session = ? AND place IS NOT NULL "
                "ORDER BY place DESC LIMIT 1");
  return row.bind(session).step() ? row.text(0) : "";
}

std::vector<std::string> HistoryStore::proposals_of_session(const std::string& session) {
  std::vector<std::string> ids;
  Statement rows(database_,
                 "SELECT id FROM proposals WHERE session = ? ORDER BY created DESC, id DESC");
  rows.bind(session);
  while (rows.step()) ids.push_back(rows.text(0));
  return ids;
}

}  // namespace bodkin
