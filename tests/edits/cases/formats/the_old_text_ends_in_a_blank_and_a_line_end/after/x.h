#ifdef WITH_MODULES
#define SUFFIX ".so"
#endif
