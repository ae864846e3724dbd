#ifdef MODULES
#define SUFFIX ".so"
#endif
