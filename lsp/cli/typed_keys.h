// Keys as a terminal sends them, byte by byte, on standard input in a mode without lines.
#pragma once

#include <string>
#include <string_view>

namespace bodkin {

inline constexpr char kEscape = 27;

// Whether more input comes within this many milliseconds.
bool comes_within(int patience);

// Reads what follows an Escape within `patience` milliseconds, such as an arrow key's sequence
// ("[A"). Empty: it was the key itself.
std::string read_sequence(int patience = 30);

inline constexpr std::string_view kBeginOfPaste = "[200~";
// The rest of a paste, with its line ends.
std::string read_paste();

}  // namespace bodkin
