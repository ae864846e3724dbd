-- a text that Neovim changed without saying so is sent again as a whole: the next edit is placed in the one that is there
local t = ...
t.write("a.txt", "x = 1\ny = 2\nz = 3\nw = 4\n")
local s = t.screen({ t.block("a.txt", "y = 2\n", "y = 20\nyy = 3\n"), t.block("a.txt", "w = 4\n", "w = 40\n") }, nil, { trusted = true })
s.open("a.txt")
s.lua("vim.cmd('1Bodkin ask x')")
s.pending(1)
s.drawn()
s.lua([[
  local busy = require("bodkin.busy")
  local why = busy.why
  busy.why = function() -- as if nothing were known of this mode
    busy.why = why
    vim.g.came = vim.api.nvim_get_mode().mode
  end
]])
s.keys(":s/x")
t.wait("the command line", function()
  return s.mode() == "c"
end)
s.lua("local proposals = require('bodkin.proposals'); proposals.apply(proposals.pending()[1])")
s.wait("the edit", "return vim.g.came == 'c'")
s.keys("<Esc>")
s.wait("what is there to be known", "return require('bodkin.proposals').all()[1].state == 'applied'")
t.equal(s.text("a.txt"), "x = 1\ny = 20\nyy = 3\nz = 3\nw = 4\n", "the text")
s.lua("vim.cmd('1Bodkin ask more')")
s.pending(1)
s.lua("vim.cmd('Bodkin apply')")
s.wait("the next edit", "return require('bodkin.proposals').all()[1].state == 'applied'")
t.equal(s.text("a.txt"), "x = 1\ny = 20\nyy = 3\nz = 3\nw = 40\n", "the text after the next edit")
s.stop()
