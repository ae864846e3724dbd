import { open, shut } from "./door";
import { lamp } from "./lamp";

export function start() {
  open(lamp);
}
