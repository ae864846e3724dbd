#!/usr/bin/env python3
# Made by a tool.
# Version one.

from box import draw
from files import open
draw(open())
