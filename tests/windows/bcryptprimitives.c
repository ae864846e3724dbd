// bcryptprimitives.dll, which Windows has and Wine 8 has not, with all that rg.exe needs of it.
#include <windows.h>
//
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(BYTE* bytes, SIZE_T count) { return RtlGenRandom(bytes, (ULONG)count); }
