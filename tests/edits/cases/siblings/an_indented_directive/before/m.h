#if HAVE_F128
#define SAME(a, b) (is_real(a) ? b##f128 a : c##b##f128 a)
#endif
#else
#define SAME(a, b)
#endif
