-- without the plugin, too, a proposal whose lines were changed is not offered any more
local t = ...
t.write("a.py", "x = 1\ny = 2\nz = 3\n")
t.plain("a.py", { t.block("a.py", "y = 2\n", "y = 20\n") })
t.plain_ask(2, 2, "Make y 20")
t.wait("the proposal's own diagnostic", function()
  return #vim.diagnostic.get(0) > 0
end)
vim.api.nvim_buf_set_lines(0, 1, 2, false, { "y = 2 + 0" })
t.wait("the diagnostic to go", function()
  return #vim.diagnostic.get(0) == 0
end)
vim.api.nvim_win_set_cursor(0, { 2, 0 })
for _, title in ipairs(t.offers()) do
  if vim.startswith(title, "bodkin: Apply") then
    t.fail("a stale proposal is offered: " .. title)
  end
end
t.equal(t.text("a.py"), "x = 1\ny = 2 + 0\nz = 3\n", "the buffer")
