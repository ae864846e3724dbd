export const Tank = {
  level: 1,
  limit: 2,
  alarm: 4,
  unit: "l",
};
