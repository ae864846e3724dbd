  /**
   * Adds.
   */
  add() {
    go();
  }
