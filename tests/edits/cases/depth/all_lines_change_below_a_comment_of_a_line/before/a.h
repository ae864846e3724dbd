#define TIMEOUT      \
  45 /* Next timeout \
      * to adjust timeouts */
#define OTHER 48
