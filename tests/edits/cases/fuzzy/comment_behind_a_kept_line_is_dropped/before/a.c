int a = 1;  // of the first
int b = a;
int c = b;
