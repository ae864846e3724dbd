-- without the plugin, by Neovim's own LSP client alone: ask, the code action, and the text is what was meant
local t = ...
local before = "# 😀\ndef area(w, h):\n    return w + h\n"
t.write("a.py", before)
t.plain("a.py", { t.block("a.py", "    return w + h\n", "    return w * h  # 😀\n") })
t.plain_ask(2, 3, "An area is a product")
vim.api.nvim_win_set_cursor(0, { 3, 0 })
t.wait("the proposal's own diagnostic", function()
  return #vim.diagnostic.get(0) > 0
end)
t.equal(t.text("a.py"), before, "the buffer before the action")
t.choose("bodkin: Apply")
t.wait("the text as it was meant", function()
  return t.text("a.py") == "# 😀\ndef area(w, h):\n    return w * h  # 😀\n"
end)
t.wait("the diagnostic to go", function()
  return #vim.diagnostic.get(0) == 0
end)
