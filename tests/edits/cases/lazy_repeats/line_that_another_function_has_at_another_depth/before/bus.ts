export function start(bus: Bus) {
  bus.open(1200);
  bus.flush("all");
}

    export function stop(bus: Bus) {
  bus.close();
  return bus.id;
}
