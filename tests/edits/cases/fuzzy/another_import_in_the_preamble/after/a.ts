/*
 * Made by a tool.
 * Version two.
 */

import { open } from "./files";
import { draw } from "./draw";
draw(open());
