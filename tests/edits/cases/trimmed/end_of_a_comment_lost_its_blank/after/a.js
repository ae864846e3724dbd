  /**
   * Adds.
   */
  add() {
    run();
  }
