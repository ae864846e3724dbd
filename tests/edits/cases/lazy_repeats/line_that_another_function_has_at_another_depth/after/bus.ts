export function start(bus: Bus) {
  bus.open(1200);
  bus.flush("all");
}

    export function stop(bus: Bus) {
      bus.flush("all");
      bus.close();
      return bus.id;
    }
