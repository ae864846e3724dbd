/*
Made by a tool
for all doors.
Version one.
*/

import { open } from "./files";
import { draw } from "./draw";
draw(open());
