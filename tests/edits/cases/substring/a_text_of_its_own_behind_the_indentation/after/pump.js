class Pump {
  drain() {
    this.close();
    return this.level;
  }
}
