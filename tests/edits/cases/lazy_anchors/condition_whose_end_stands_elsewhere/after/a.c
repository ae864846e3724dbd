#ifdef A
int a;
#endif
int b;
#ifdef B
int d;
#endif
int c;
