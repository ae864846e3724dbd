const a = 1;

class A {
  one() {
    return 10;
  }

  two() {
    return 2;
  }
}

class B {
  three() {
    return 3;
  }
}
