function go(a) {
  if (a < 0) {
    back(a);
  }
  forward(a);
}
