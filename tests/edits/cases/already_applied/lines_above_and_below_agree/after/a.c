begin();
int n = 2;
finish();
