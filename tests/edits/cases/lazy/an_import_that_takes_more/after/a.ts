import { open, shut, lock } from "./door";
import { lamp } from "./lamp";

export function start() {
  open(lamp);
}
