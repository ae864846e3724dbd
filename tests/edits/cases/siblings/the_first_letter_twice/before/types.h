#if WORDSIZE == 64
/* The type is defined like `ldiv_t'.  */
typedef struct {
  long int quot;
} imaxdiv_t;
#endif
