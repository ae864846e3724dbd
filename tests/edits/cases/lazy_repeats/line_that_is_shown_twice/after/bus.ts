export function stop(bus: Bus) {
  bus.flush("all");
  bus.close();
  bus.flush("all");
  bus.wait(100);
  return bus.id;
}

export const limit = 3;
