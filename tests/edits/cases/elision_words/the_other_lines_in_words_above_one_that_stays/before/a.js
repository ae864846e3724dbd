class A {
  one() { return 1; }
  two() { return 2; }
  three() { return 3; }
  four() { return 4; }
}
