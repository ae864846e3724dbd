// A fresh heading.
int f() { return 2; }
