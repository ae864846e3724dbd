int a2;
int b;
int c;
int d;
