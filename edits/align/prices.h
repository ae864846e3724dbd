// The prices: everything about placing that can be tuned, in one table, in hundredths of the price
// of a line that is only spelled otherwise.
#pragma once

namespace bodkin {

using Price = int;

inline constexpr Price kShift = 300;      // the whole quote stands at another depth
inline constexpr Price kUneven = 100;     // a line's depth moved otherwise than the rest's
inline constexpr Price kSpelled = 100;    // equal only with punctuation, NFC or inner blanks folded
inline constexpr Price kBlank = 50;       // a blank line is missing, or there is one too many
inline constexpr Price kComment = 200;    // a comment of the file is not quoted
inline constexpr Price kWord = 400;       // another word in a kept line
inline constexpr Price kSlip = 200;       // the same word but for a slip
inline constexpr Price kThing = 900;      // another number, string or sign: tells siblings apart
inline constexpr Price kReading = 100;    // the reply had to be read otherwise than written
inline constexpr Price kAgrees = 100;     // what an agreeing line that stands once pays for
inline constexpr Price kElsewhere = 700;  // the selection points elsewhere
inline constexpr Price kHeading = 400;    // a diff's heading names another section
inline constexpr Price kMargin = 300;     // by how much the cheapest place must win
inline constexpr Price kNever = 100'000'000;  // a price that no place can pay

}  // namespace bodkin
