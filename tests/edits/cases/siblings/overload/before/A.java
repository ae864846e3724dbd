int area(int a) {
  check();
  log("area");
  return 0;
}
