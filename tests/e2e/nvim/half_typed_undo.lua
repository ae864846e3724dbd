-- an undo that is refused while something is half typed is said to be, and comes once that is over; what is decided else by then holds
local t = ...
t.write("a.txt", "x = 1\ny = 2\nkeep\n")
local s = t.screen({ t.block("a.txt", "y = 2\n", "y = 20\nyy = 3\n"), t.block("a.txt", "keep\n", "kept\n") }, nil, { trusted = true })
s.open("a.txt")
s.lua("vim.cmd('1Bodkin ask x')")
s.pending(1)
s.lua("vim.cmd('Bodkin apply')")
s.wait("it to be applied", "return require('bodkin.proposals').all()[1].state == 'applied'")

local function type_until(keys, mode)
  s.keys(keys)
  t.wait("the mode " .. mode, function()
    return s.mode() == mode
  end)
end

type_until("GV", "V")
s.lua("vim.cmd('Bodkin undo')")
s.wait("words", "return vim.fn.execute('messages'):find('not undone yet: a.txt has a selection (Visual mode)', 1, true) ~= nil")
t.equal(s.text("a.txt"), "x = 1\ny = 20\nyy = 3\nkeep\n", "the text meanwhile")
s.keys("y")
s.wait("the undo", "return require('bodkin.proposals').all()[1].state == 'discarded'")
t.equal(s.text("a.txt"), "x = 1\ny = 2\nkeep\n", "the text")
s.keys("Gp")
s.wait("the selected line", "return vim.fn.getline('$') == 'keep' and vim.fn.line('$') == 4")

-- Taken, and refused before it could come.
s.keys("u")
s.lua("vim.cmd('3Bodkin ask y')")
s.pending(1)
type_until("GV", "V")
s.lua("vim.cmd('Bodkin apply')")
s.wait("words", "return vim.fn.execute('messages'):find('not applied yet: a.txt has a selection (Visual mode)', 1, true) ~= nil")
s.lua("vim.cmd('Bodkin discard')")
s.wait("it to be discarded", "return require('bodkin.proposals').all()[1].state == 'discarded'")
s.keys("<Esc>")
s.lua("vim.cmd('Bodkin redo')")
s.wait("it to be there again", "return require('bodkin.proposals').all()[1].state == 'ready'")
t.equal(s.text("a.txt"), "x = 1\ny = 2\nkeep\n", "what was discarded is not applied")
s.stop()
