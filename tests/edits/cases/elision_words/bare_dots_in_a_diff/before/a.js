function f() {
  one();
  two();
  three();
  five();
}
