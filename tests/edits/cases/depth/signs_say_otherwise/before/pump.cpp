class Pump {
  void start() {
    valve = 3;
  }
};
