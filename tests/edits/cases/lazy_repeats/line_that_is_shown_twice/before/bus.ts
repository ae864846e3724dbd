export function stop(bus: Bus) {
  bus.flush("all");
  bus.close();
  bus.wait(100);
  return bus.id;
}

export const limit = 3;
