const ready =
  rows.length > 0 &&
  !busy &&
  !closed,
