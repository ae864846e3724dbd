#!/usr/bin/env python3
# Made by a tool.
# Version two.

from box import draw
from files import open
draw(open())
