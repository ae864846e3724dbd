// DaySpending: what all asks of the user have cost since midnight, local time, also those of other
// processes. Any thread.
#pragma once

#include <string>

namespace bodkin {

class DaySpending {
 public:
  // Kept in `file`: {"days": {"2026-11-23": 0.42}}, recent days only, several since the local day
  // depends on the time zone. Empty: nothing is kept.
  explicit DaySpending(std::string file) : file_(std::move(file)) {}

  double usd() const;
  void add(double usd) const;  // what cannot be written is lost
  bool can_add() const;        // it can be written now

 private:
  const std::string file_;
};

}  // namespace bodkin
