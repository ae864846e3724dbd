#define TIMEOUT      \
  45 /* Next timeout \
      * to set timeouts */
#define OTHER 48
