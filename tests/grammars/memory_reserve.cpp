#include "grammars/memory_reserve.h"

#include <doctest/doctest.h>

using namespace bodkin;

TEST_CASE(
    "without memory one allocation goes on, the next one throws, and unwinding may allocate") {
  keep_memory_reserve();
  CHECK(make_room(100));
  CHECK(!make_room(100));  // throws
  CHECK(make_room(100));   // a destructor in a handler
  CHECK(!make_room(100));
  CHECK(!release_memory_reserve());

  keep_memory_reserve();
  CHECK(!make_room(100 << 20));  // leaves the reserve to the small ones
  CHECK(make_room(100));
  CHECK(make_room(100));
  CHECK(!make_room(100));

  struct Destroyed {
    int* tries;
    ~Destroyed() { *tries = make_room(100) + make_room(2 << 20) + make_room(100); }
  };
  int tries = 0;
  keep_memory_reserve();
  try {
    const Destroyed destroyed{&tries};
    throw 1;
  } catch (int) {
  }
  CHECK(tries == 2);
  CHECK(!release_memory_reserve());

  keep_memory_reserve();
  CHECK(release_memory_reserve());
  CHECK(release_memory_reserve());
  CHECK(!release_memory_reserve());
}
