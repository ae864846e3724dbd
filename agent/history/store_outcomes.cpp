// The outcomes of bodkin's changes, as far as known, and whether their files are still the same.
#include "agent/history/store.h"

namespace bodkin {

void HistoryStore::confirm(const std::string& id) {
  Statement(database_,
            "UPDATE proposals SET outcome = 'applied' WHERE id = ? AND outcome = 'unknown'")
      .bind(id)
      .run();
}

void HistoryStore::put_results(const ProposalRow& row) {
  for (const auto& [path, hash] : row.results) {
    Statement put(database_,
                  "INSERT INTO results VALUES (?, ?, ?, "
                  "(SELECT coalesce(max(turn), 0) + 1 FROM results)) "
                  "ON CONFLICT DO UPDATE SET hash = excluded.hash, turn = excluded.turn");
    put.bind(row.id).bind(path);
    hash ? put.bind_bytes(*hash) : put.bind_null();
    put.run();
  }
}

std::string HistoryStore::outcome_now(const std::string& id, const HashNow& hash_now) {
  Statement row(database_, "SELECT workspace, outcome, created FROM proposals WHERE id = ?");
  if (!row.bind(id).step()) return "";
  const std::string workspace = row.text(0), outcome = row.text(1);
  const bool is_unknown = outcome == "unknown";
  if (!is_unknown && outcome != "applied" && outcome != "partly" && outcome != "undone in part")
    return outcome;
  bool is_known = false, is_left = true, is_any_left = false;
  bool is_reverted = true, is_reverted_or_left = true;
  // Bodkin's own later changes do not count as changes since.
  Statement results(database_,
                    "SELECT path, hash, (SELECT r.hash FROM results r JOIN proposals p ON "
                    "p.id = r.proposal WHERE p.workspace = ?2 AND r.path = results.path "
                    "ORDER BY r.turn DESC LIMIT 1) FROM results WHERE proposal = ?1");
  results.bind(id).bind(workspace);
  while (results.step()) {
    const std::string path = results.text(0), left = results.text(is_unknown ? 1 : 2);
    const std::string now = hash_now(workspace, path).value_or("");
    is_known = true;
    is_left &= now == left;
    is_any_left |= now == left;
    if (now == left && left != results.text(1)) continue;
    // Not if it is as this change made it: then it is in place, whatever it was before.
    Statement before(
        database_,
        "SELECT 1 FROM files f JOIN proposals p ON p.id = f.proposal WHERE "
        "p.workspace = ?1 AND p.created <= ?2 AND ((f.path = ?3 AND f.before IS ?4) "
        "OR (f.moved_to = ?3 AND ?4 IS NULL)) AND NOT EXISTS (SELECT 1 FROM files WHERE "
        "proposal = ?5 AND ((iif(moved_to = '', path, moved_to) = ?3 AND after IS ?4) "
        "OR (path = ?3 AND moved_to <> '' AND ?4 IS NULL)))");
    before.bind(workspace).bind(row.number(2)).bind(path);
    now.empty() ? before.bind_null() : before.bind_bytes(now);
    before.bind(id);
    const bool is_as_before = before.step();
    is_reverted &= is_as_before;
    is_reverted_or_left &= is_as_before || now == left;
  }
  if (!is_known) return outcome;
  if (is_unknown && is_left) return "applied";
  if (is_unknown) return !is_reverted_or_left ? outcome : is_any_left ? "partly" : "not applied";
  return is_left ? outcome : outcome + (is_reverted ? ", reverted since" : ", changed since");
}

}  // namespace bodkin
