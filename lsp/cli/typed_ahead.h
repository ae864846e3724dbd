// TypedAhead: text typed while an ask of a conversation runs. The terminal does not show it; it is
// kept for the next prompt, and answers no question. Escape interrupts the ask, as Ctrl-C does.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "agent/rpc/transport.h"

namespace bodkin {

// One object at a time. Standard input is a terminal.
class TypedAhead {
 public:
  TypedAhead();   // from now on the terminal does not echo
  ~TypedAhead();  // it is as it was before
  TypedAhead(const TypedAhead&) = delete;
  TypedAhead& operator=(const TypedAhead&) = delete;

  // Reads until end(). `changed`: called when the text has changed, on the thread that reads; it
  // may call neither function. They may not be called at once.
  void begin(std::function<void()> changed);
  void end();  // what was typed up to now is taken first
  // Any thread. UTF-8; keys that only move in it leave nothing.
  std::string text() const;

 private:
  void read(const rpc::Wake& wake);
  void take(char byte);
  bool erase_last();  // character

  mutable std::mutex mutex_;
  std::string text_;
  bool is_interrupted_ = false;
  std::function<void()> changed_;
  std::unique_ptr<rpc::Wake> wake_;  // null: it does not read
  std::jthread thread_;
};

}  // namespace bodkin
