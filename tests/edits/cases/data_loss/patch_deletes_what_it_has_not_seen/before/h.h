int a;
int unseen;
