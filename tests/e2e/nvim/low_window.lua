-- a text of 20 lines, as that of :Bodkin check without a model, is seen whole in a terminal of 24
local t = ...
vim.o.columns, vim.o.lines = 80, 24
local lines = {}
for line = 1, 20 do
  lines[line] = "line " .. line
end
require("bodkin.float").text(lines, "check")
t.equal({ vim.fn.line("w0"), vim.fn.line("w$") }, { 1, 20 }, "the lines that are seen")
