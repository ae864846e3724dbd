-- the proposal that is drawn is the one that is taken, discarded and refined; a new one is drawn, and not meant at once
local t = ...
t.write("a.py", "x = 1\n")
t.setup({
  t.block("a.py", "x = 1\n", "x = 2\n"), t.block("a.py", "x = 1\n", "x = 3\n"), t.block("a.py", "x = 1\n", "x = 4\n"),
})
t.open("a.py")
local function drawn(text)
  t.wait(text .. " to be drawn", function()
    for _, each in ipairs(t.drawn("a.py")) do
      if each.text and each.text:find(text, 1, true) then
        return true
      end
    end
  end)
end
local function ask(count)
  vim.cmd("1Bodkin ask Number " .. count)
  local proposal = t.proposal(count)
  t.end_of_ask(count)
  return proposal
end
local function pick(position)
  vim.ui.select = function(items, _, chosen)
    chosen(items[position], position)
  end
  vim.cmd("Bodkin proposals")
end
local first, second = ask(1), ask(2)
pick(2)
drawn("x = 2")
local third = ask(3)
drawn("x = 4")
t.keys("do") -- for the one that was drawn when the key was thought of
t.message("“Number 3” came up just now; nothing was done")
t.equal({ first.state, third.state }, { "ready", "ready" }, "what nobody can have meant")
pick(3)
drawn("x = 2")
vim.cmd("Bodkin reject all")
t.state(first, "discarded")
t.equal({ second.state, third.state }, { "ready", "ready" }, "those that were not drawn")
drawn("x = 4")
pick(2)
drawn("x = 3")
vim.cmd("Bodkin apply")
t.state(second, "applied")
t.equal(t.text("a.py"), "x = 3\n", "the text")
