#include <doctest/doctest.h>

#include "agent/platform/windows/descriptors.h"

using namespace bodkin;

TEST_CASE("consoles: a character is a key that goes down, or Alt that comes up") {
  const auto gives = [](bool is_down, WORD code, wchar_t character) {
    KEY_EVENT_RECORD key{};
    key.bKeyDown = is_down;
    key.wVirtualKeyCode = code;
    key.uChar.UnicodeChar = character;
    return os::gives_character(key);
  };
  CHECK(gives(true, 'A', L'a'));
  CHECK(!gives(false, 'A', L'a'));
  CHECK(!gives(true, VK_SHIFT, 0));
  CHECK(!gives(true, VK_MENU, 0));
  CHECK(!gives(true, VK_NUMPAD2, 0));
  CHECK(gives(false, VK_MENU, L'\xE4'));  // Alt+0228, or pasted where no key has it
  CHECK(!gives(false, VK_MENU, 0));
}
