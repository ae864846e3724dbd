// Prints what one-character edits cost in a document of 100,000 lines, every text kept alive for
// one edit (as a snapshot keeps it).
#include "edits/text/text.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <vector>

int main() {
  using Clock = std::chrono::steady_clock;
  auto micros = [](Clock::duration d) {
    return std::chrono::duration<double, std::micro>(d).count();
  };
  std::string bytes;
  for (int i = 0; i < 100'000; ++i)
    bytes += "    int value_" + std::to_string(i) + " = 42;  // x\n";
  auto begin = Clock::now();
  bodkin::Text text(std::move(bytes));
  std::printf("open 100,000 lines, %zu bytes: %.0f us\n", text.size(),
              micros(Clock::now() - begin));
  std::mt19937 random(1);
  for (bool typing : {true, false}) {
    std::vector<double> each;
    size_t at = text.size() / 2;
    for (int i = 0; i < 10'000; ++i) {
      if (!typing) at = random() % text.size();
      begin = Clock::now();
      text = text.replace(at++, 0, "x");
      each.push_back(micros(Clock::now() - begin));
    }
    std::sort(each.begin(), each.end());
    std::printf("10,000 inserts %s: p50 %.1f us, p99 %.1f us, max %.1f us\n",
                typing ? "side by side" : "at random places", each[5000], each[9900], each.back());
  }
  begin = Clock::now();
  size_t sum = 0;
  for (size_t i = 0; i < text.line_count(); ++i) sum += text.line_of(text.line_end(i));
  std::printf("line_end and line_of of each line: %.3f us (%zu)\n",
              micros(Clock::now() - begin) / text.line_count(), sum);
}
