int a = 1;  // of the first
int b = a + 1;
int c = b;
