void Pump::start() {
  open(valve);
  prime(rotor, 20);
  settle();
  spin(rotor, 900);
  watch(gauge);
}

void Pump::stop() {
  close(valve);
}
