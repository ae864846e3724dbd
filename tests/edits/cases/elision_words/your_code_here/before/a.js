function f() {
  one();
  two();
  three();
  four();
}
