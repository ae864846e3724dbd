import { s } from "shape";

export const Tank = s.shape({
  level: s.int(),
  unit: s.text(),
});

export type T = s.of<typeof Tank>;
