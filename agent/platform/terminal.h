// The terminal of standard input and error. One thread at a time.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>

namespace bodkin::os {

bool is_terminal(int number);
bool is_terminal(std::FILE* stream);

// Columns of the terminal at this descriptor; 0: unknown.
int columns_of(int number);

// First in main(). Windows: from now on the C library's standard streams carry bytes as they are,
// and escape sequences and UTF-8 mean on a console what they mean on every terminal.
void prepare_standard_streams();

// How the terminal of standard input delivers typed text.
class TerminalMode {
 public:
  static std::optional<TerminalMode> now();  // nothing: there is no terminal

  TerminalMode(const TerminalMode& other);
  TerminalMode& operator=(const TerminalMode& other);
  ~TerminalMode();

  TerminalMode with_single_keys() const;  // at once, and none is shown
  // Whole lines, which are shown while they are typed; `ends_at_escape`: an Escape, too, hands over
  // what was typed (POSIX alone).
  TerminalMode with_lines(bool ends_at_escape) const;

  // at_once; after what was written is shown; after that, and what was typed is thrown away
  enum class When { at_once, drained, flushed };
  void set(When when) const;

 private:
  struct System;
  explicit TerminalMode(std::unique_ptr<System> system);
  std::unique_ptr<System> system_;
};

// Discards text that was typed and not read.
void discard_typed();

}  // namespace bodkin::os
