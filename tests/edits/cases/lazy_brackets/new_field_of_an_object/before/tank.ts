export const Tank = {
  level: 1,
  limit: 2,
  unit: "l",
};
