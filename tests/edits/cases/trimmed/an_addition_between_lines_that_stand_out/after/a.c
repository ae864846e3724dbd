void f(void) {
    one();
    two();
      three();
      more();
      four();
    five();
    six();
}
