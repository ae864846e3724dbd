int a;
int b;
int unseen;
