int f(void) {
  int n = load(path, "rb");
  return check(n, limit);
}
