class Pump {
  drain() {
    this.open();
    return this.level;
  }
}
