Author: A
====================
local M = {}

local size = 3
local text = "t"
M.run(text)
