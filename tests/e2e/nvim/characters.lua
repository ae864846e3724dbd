-- selected characters stay the characters that are asked about, in commands and in maps; lines stay lines
local t = ...
t.write("a.py", "x = one + zwei\u{e4} + drei\ny = 2\n")
t.setup({ "Nothing." })
t.open("a.py")
local sent = {}
-- In the units of the server.
local stop = require("bodkin.client").of(0).offset_encoding == "utf-8" and 16 or 15
local asks = require("bodkin.asks")
asks.send = function(request)
  table.insert(sent, request.arguments.range)
end
t.keys("0fzv/ +<CR>h:Bodkin ask Why?<CR>")
t.wait("the ask", function()
  return #sent == 1
end)
t.equal(sent[1], { start = { line = 0, character = 10 }, ["end"] = { line = 0, character = stop } }, "the characters")
t.keys("ggVj:Bodkin ask Why?<CR>")
t.equal(sent[2], { start = { line = 0, character = 0 }, ["end"] = { line = 2, character = 0 } }, "the lines")
vim.keymap.set({ "n", "x" }, "gb", "<Plug>(bodkin-explain)", { remap = true })
t.keys("gg0fzvegb")
t.wait("the ask of the map", function()
  return #sent == 3
end)
t.equal(sent[3], { start = { line = 0, character = 10 }, ["end"] = { line = 0, character = stop } }, "the characters of the map")
t.equal(vim.fn.mode(), "n", "the mode")
