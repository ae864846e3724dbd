import { a } from "a";

const one = a();

export function go() {
  return one;
}
