#ifndef HAVE_X
int a(void);
int b(void);
int c(void);
#endif
