// Names of states
export const LONG_NAME_OF_A_STATE =
  "waiting";
