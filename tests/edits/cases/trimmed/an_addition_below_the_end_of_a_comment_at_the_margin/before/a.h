class A {
  /**
   * Adds.
   */
  int add(int a);
};
