#ifdef A
int a;
#endif
int b;
int c;
