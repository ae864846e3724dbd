long a;
int b;
int c;
