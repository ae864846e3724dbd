// hold.exe FILE…: another program that has these files open and shares them with nobody, until its input ends.
#include <stdio.h>
#include <windows.h>

int wmain(int count, wchar_t** names) {
  for (int i = 1; i < count; ++i) {
    if (CreateFileW(names[i], GENERIC_READ, 0, NULL, OPEN_EXISTING, 0, NULL) == INVALID_HANDLE_VALUE) return 1;
  }
  puts("open");
  fflush(stdout);
  getchar();
  return 0;
}
