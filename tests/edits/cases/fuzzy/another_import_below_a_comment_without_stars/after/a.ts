/*
Made by a tool
for all doors.
Version two.
*/

import { open } from "./files";
import { draw } from "./draw";
draw(open());
