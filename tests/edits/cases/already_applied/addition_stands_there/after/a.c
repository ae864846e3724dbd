begin();
int number = 2;
finish();
