int a;
int bb;
int c;
