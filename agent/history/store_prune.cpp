#include "agent/history/store.h"

namespace bodkin {

void HistoryStore::forget(const std::string& id) {
  remove(id);
  forget_unused_texts();
}

void HistoryStore::remove(const std::string& id) {
  Statement(database_, "DELETE FROM proposals WHERE id = ?1 OR session = ?1").bind(id).run();
  Statement(database_, "DELETE FROM sessions WHERE id = ?").bind(id).run();
}

void HistoryStore::forget_unused_texts() {
  database_.execute(
      "DELETE FROM texts WHERE hash NOT IN ("
      "SELECT system FROM sessions WHERE system IS NOT NULL "
      "UNION SELECT content FROM parts WHERE content IS NOT NULL "
      "UNION SELECT parameters FROM calls WHERE parameters IS NOT NULL "
      "UNION SELECT result FROM calls WHERE result IS NOT NULL "
      "UNION SELECT before FROM files WHERE before IS NOT NULL "
      "UNION SELECT after FROM files WHERE after IS NOT NULL)");
}

void HistoryStore::forget_older(int64_t time) {
  Statement(database_, "DELETE FROM sessions WHERE used < ?").bind(time).run();
  const bool any = database_.changes() > 0;
  Statement(database_,
            "DELETE FROM proposals WHERE max(created, coalesce(applied, 0)) < ? AND "
            "session NOT IN (SELECT id FROM sessions)")
      .bind(time)
      .run();
  if (any || database_.changes() > 0) forget_unused_texts();
}

int64_t HistoryStore::bytes() {
  const int64_t pages = database_.pragma("page_count") - database_.pragma("freelist_count");
  return pages * database_.pragma("page_size");
}

void HistoryStore::shrink(int64_t most,
                          const std::function<bool(const std::string& session)>& is_held) {
  while (bytes() > most) {
    std::vector<std::string> all, oldest;
    Statement rows(database_,
                   "SELECT id, used FROM sessions UNION SELECT id, max(created, coalesce(applied, "
                   "0)) FROM proposals WHERE session NOT IN (SELECT id FROM sessions) "
                   "ORDER BY 2, 1");
    while (rows.step()) all.push_back(rows.text(0));
    // Some at once: to find the texts that nobody uses any more takes as long for one.
    for (const std::string& id : all) {
      if (oldest.size() > all.size() / 20) break;
      if (!is_held(id)) oldest.push_back(id);
    }
    if (oldest.empty() || database_.failure()) return;
    for (const std::string& id : oldest) remove(id);
    forget_unused_texts();
  }
}

void HistoryStore::keep_newest(const std::string& workspace, const std::string& beginning,
                               int64_t count) {
  constexpr int64_t kMore = 10;
  std::vector<std::string> old;
  for (const bool is_asked : {false, true}) {
    Statement known(database_,
                    "SELECT id FROM proposals WHERE workspace = ? AND "
                    "substr(id, 1, length(?2)) = ?2 AND (state = 'asked') = ? "
                    "ORDER BY created DESC, rowid DESC LIMIT -1 OFFSET ?");
    known.bind(workspace).bind(beginning).bind(is_asked).bind(count);
    while (known.step()) old.push_back(known.text(0));
  }
  if (old.size() < kMore) return;
  for (const std::string& id : old) remove(id);
  forget_unused_texts();
}

void HistoryStore::forget_all() {
  database_.execute("DELETE FROM proposals; DELETE FROM sessions; DELETE FROM texts;");
}

}  // namespace bodkin
