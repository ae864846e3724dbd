-- without any model the ask ends with a sentence that says what to do
local t = ...
t.write("a.py", "x = 1\n")
t.setup({}, { model = { provider = "replay", name = t.path("there-is-none.json") } })
t.open("a.py")
vim.cmd("1Bodkin ask Anything")
t.wait("a warning", function()
  return #t.ended > 0 or #t.messages > 1
end)
t.message(":Bodkin retry")
t.told("there-is-none.json does not exist")
t.equal(t.text("a.py"), "x = 1\n", "the buffer")
