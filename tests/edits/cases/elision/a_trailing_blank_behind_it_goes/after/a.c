long a;
int b;
int c;
int d;
