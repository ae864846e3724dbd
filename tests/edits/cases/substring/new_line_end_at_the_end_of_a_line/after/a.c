int a = d;
int c;
