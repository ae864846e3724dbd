int f(void) {
  a = 1;

  b = 2;
  c = 3;
  // That is all.
  return a;
}
