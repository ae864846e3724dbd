int x;
int b;
int z;
