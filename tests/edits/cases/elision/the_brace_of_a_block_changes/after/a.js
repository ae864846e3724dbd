class A {
  f() {
    x();
  }
};
