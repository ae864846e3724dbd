// path::lexically_normal() of libstdc++ takes one slash of "//server/share/a" away, which is then
// another file. The linker calls this in its place (--wrap in
// agent/CMakeLists.txt).
#include <filesystem>
#include <string>

namespace bodkin::os {

using std::filesystem::path;

#define NORMAL "_ZNKSt10filesystem7__cxx114path16lexically_normalEv"
path usual_normal(const path& whole) asm("__real_" NORMAL);
path own_normal(const path& whole) asm("__wrap_" NORMAL);

path own_normal(const path& whole) {
  const std::wstring& text = whole.native();
  const auto is_slash = [&](size_t at) {
    return at < text.size() && (text[at] == L'/' || text[at] == L'\\');
  };
  path result = usual_normal(whole);
  if (!is_slash(0) || !is_slash(1) || text.size() < 3 || is_slash(2)) return result;
  return path(text.substr(0, 1) + result.native());
}

}  // namespace bodkin::os
