// The prices: everything about placing that can be tuned, in one table, in hundredths of the price
// of a line that is only spelled differently. Each was fitted on replies of real models and checked
// on others (tests/edits/worth.py); what counts is how they compare:
//
//   kMargin    All else is measured by it. What costs less than the margin does not decide: two
//              places that differ in it alone are ambiguous, and the model is asked.
//   kShift     The margin: a quote that stands at its own depth is never taken for its twin at
//              another one. It is paid once, however many lines are shifted, as the whole quote is.
//   kUneven    Models slip in single lines, and a place with three such lines is as doubtful as one
//              that is shifted.
//   kSpelled   Far below the margin: dashes, quotes and blanks within a line are how a model
//              writes, not what it means.
//   kBlank     The cheapest: blank lines are layout, but six of them are another text.
//   kComment   The file has a comment that the quote leaves out: often one that somebody added
//              since. Two of them are more than the margin.
//   kSlip      Below the margin, on purpose: if two places differ in a slip, either may be meant.
//   kWord      Above it: the place with the quote's own word wins. Nothing is believed to differ
//              that agreeing lines do not pay for (kAgrees): another word needs four lines that
//              the file has once, or the head of the block around all that differs or changes.
//   kThing     A number, a string or a sign is what tells siblings apart ("case 3:", "port: 80"):
//              nine agreeing lines must speak for the place, and a second one is too much.
//   kReading   Less than a slip: what was read otherwise must still be quoted right, as nothing
//              that agrees pays for differences of such a reading (weigh.cpp).
//   kElsewhere A person's selection is no mistake: it outweighs a word and a slip.
//   kHeading   A diff's heading is the function above the hunk, and sometimes the wrong one: it
//              outweighs a shift, and no more.
//   kNever     Above any sum: a contradiction is not weighed.
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
