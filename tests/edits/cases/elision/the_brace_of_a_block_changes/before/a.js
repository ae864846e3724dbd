class A {
  f() {
    x();
  }
}
