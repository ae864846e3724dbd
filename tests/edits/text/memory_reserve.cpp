#include "edits/text/memory_reserve.h"

#include <doctest/doctest.h>

#include <new>

using namespace bodkin;

TEST_CASE("without memory one allocation goes on, the next one throws, and unwinding may allocate") {
  const std::new_handler before = std::get_new_handler();
  keep_memory_reserve();
  const std::new_handler failed = std::get_new_handler();
  failed();  // gave up a part: the allocation is tried again
  CHECK_THROWS_AS(failed(), std::bad_alloc);
  CHECK_THROWS_AS(failed(), std::bad_alloc);
  CHECK(!release_memory_reserve());

  struct Destroyed {
    std::new_handler allocate;
    ~Destroyed() { allocate(), allocate(); }
  };
  keep_memory_reserve();
  try {
    const Destroyed destroyed{failed};
    throw 1;
  } catch (int) {
  }
  CHECK(!release_memory_reserve());

  keep_memory_reserve();
  CHECK(release_memory_reserve());
  CHECK(release_memory_reserve());
  keep_memory_reserve();
  std::set_new_handler(before);
}
