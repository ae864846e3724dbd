#ifdef HAVE_alpha
static int ready = 1;
#if DEBUG
static int level = 2;
#endif
#else
static int limit = 0;
#endif

#ifdef HAVE_beta
static int ready = 1;
#if DEBUG
static int level = 2;
#endif
#else
static int limit = 0;
#endif

#ifdef HAVE_gamma
static int ready = 1;
#if DEBUG
static int level = 2;
#endif
#else
static int limit = 0;
#endif
