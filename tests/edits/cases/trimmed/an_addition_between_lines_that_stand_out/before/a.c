void f(void) {
    one();
    two();
      three();
      four();
    five();
    six();
}
