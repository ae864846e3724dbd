class A {
  /**
   * Adds.
   */
  [[nodiscard]] int add(int a);
};
