#include "lsp/editor/log.h"

#include <ctime>

namespace bodkin::lsp {

namespace {

constexpr size_t kKeptLines = 1000;
constexpr size_t kKeptBytes = 4000;  // of a line

std::string time_of_day() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  localtime_r(&now, &parts);
  char text[16];
  std::strftime(text, sizeof text, "%H:%M:%S", &parts);
  return text;
}

}  // namespace

void Log::add(MessageType type, const std::string& line) {
  if (type > most) return;
  lines_.push_back(time_of_day() + " " + line.substr(0, kKeptBytes));
  if (lines_.size() > kKeptLines) lines_.pop_front();
  if (pass_on) pass_on(type, line);
}

std::string Log::text() const {
  std::string result;
  for (const std::string& line : lines_) result += line + "\n";
  return result;
}

}  // namespace bodkin::lsp
