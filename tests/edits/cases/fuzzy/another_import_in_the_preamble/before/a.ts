/*
 * Made by a tool.
 * Version one.
 */

import { open } from "./files";
import { draw } from "./draw";
draw(open());
