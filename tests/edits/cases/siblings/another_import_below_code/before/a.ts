/*
 * Made by a tool.
 * Version one.
 */
prepare();
import { open } from "./files";
import { draw } from "./draw";
draw(open());
