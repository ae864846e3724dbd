export const LONG_NAME_OF_A_STATE =
  "waiting";
export const OTHER_NAME_OF_A_STATE =
  "running";
