export const options = {
  ...existing.items,
  ...rest, ...others
  fourth: 4,
};
