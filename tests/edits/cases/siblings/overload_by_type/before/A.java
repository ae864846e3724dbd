int area(double a) {
  check();
  log("area");
  return 0;
}
