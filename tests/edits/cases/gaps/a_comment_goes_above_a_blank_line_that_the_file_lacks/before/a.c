int f(void) {
  a = 1;
  // The second one.
  b = 2;
  c = 3;
}
