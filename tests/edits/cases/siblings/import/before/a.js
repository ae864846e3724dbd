import { save } from "./lib";
import x from "x";
run(x);
stop(x);
