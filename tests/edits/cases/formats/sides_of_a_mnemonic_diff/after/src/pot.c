int a;
int tea;
int c;
