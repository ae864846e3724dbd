export function stop(bus: Bus) {
  bus.flush("all");
  bus.close();
  return bus.id;
}

export const limit = 3;
