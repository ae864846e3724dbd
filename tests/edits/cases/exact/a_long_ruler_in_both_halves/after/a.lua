Author: A
====================
local M = {}

local size = 3
local text = "t"
M.go(text)
