void Pump::start() {
  open(valve);
  prime(rotor, 20);
  spin_when_settled(rotor, 900, gauge.limit());
  watch(gauge);
}

void Pump::stop() {
  close(valve);
}
