#define TIMEOUT      \
  46 /* Next timeout \
      * to set timeouts */
#define OTHER 48
