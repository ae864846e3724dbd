if (a < b && c) {
  x();
}
