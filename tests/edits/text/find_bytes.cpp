// A search in many places at once against the one of the standard library.
#include "edits/text/find_bytes.h"

#include <doctest/doctest.h>

#include <random>
#include <string>

using namespace bodkin;

namespace {

std::string random_text(std::mt19937& random, size_t size, size_t letters) {
  std::string text(size, ' ');
  for (char& c : text) c = static_cast<char>('a' + random() % letters);
  return text;
}

void check_all(const std::string& bytes, const std::string& wanted) {
  for (size_t at = 0; at <= bytes.size(); ++at) {
    const size_t expected = bytes.find(wanted, at), found = find_bytes(bytes, wanted, at);
    REQUIRE(found == expected);
    if (found == bytes.npos) return;
    at = found;
  }
}

}  // namespace

TEST_CASE("Bytes are found where the standard library finds them") {
  std::mt19937 random(7);
  for (int round = 0; round < 20'000; ++round) {
    const std::string bytes = random_text(random, random() % 3000, 1 + random() % 4);
    const size_t size = 1 + random() % 40;
    const bool is_part = random() % 2 == 0 && bytes.size() > size;
    check_all(bytes, is_part ? bytes.substr(random() % (bytes.size() - size), size)
                             : random_text(random, size, 1 + random() % 4));
  }
}

TEST_CASE("The last place and every place beside a block's end are found") {
  for (size_t before = 0; before < 2200; ++before)
    for (const std::string wanted : {"xy", "x.y", "x..............................y"}) {
      const std::string bytes = std::string(before, '.') + wanted;
      CHECK(find_bytes(bytes, wanted) == before);
      CHECK(find_bytes(bytes + std::string(1500, '.'), wanted) == before);
      CHECK(find_bytes(bytes.substr(0, bytes.size() - 1), wanted) == std::string::npos);
    }
}

TEST_CASE("A text that nearly stands everywhere takes no longer than the file is long") {
  const std::string bytes(1 << 22, 'a');
  CHECK(find_bytes(bytes, std::string(1 << 20, 'a') + 'b') == std::string::npos);
  CHECK(find_bytes(bytes, 'b' + std::string(1 << 20, 'a')) == std::string::npos);
  const std::string middle = std::string(1 << 19, 'a') + 'b' + std::string(1 << 19, 'a');
  CHECK(find_bytes(bytes, middle) == std::string::npos);
  CHECK(find_bytes(bytes + middle, middle, 1) == bytes.size());
}

TEST_CASE("Bytes with the high bit and zeros are bytes like others") {
  std::string bytes(5000, '\0');
  bytes += "\xFF\x80\xC3\xA4\0\xFF";
  CHECK(find_bytes(bytes, "\xFF\x80\xC3") == 5000);
  CHECK(find_bytes(std::string(200, '.') + "   .", "   ") == 200);
  CHECK(find_bytes(bytes, "\xC3\xA4") == 5002);
}
