-- what a model predicts is a hint that says that nobody has checked it; the key goes there, and makes it
local t = ...
vim.o.columns, vim.o.lines = 80, 24
local text = "import os\n\ndef load(path):\n    check(path)\n    data = read(path)\n    close(path)\n    return data\n"
t.write("a.py", text)
local reply = text:gsub("read%(path%)", "read(path, True)"):gsub("import os", "import sys")
t.write("model.json", vim.json.encode({ name = "t", turns = { { reply = { text = reply, stop_reason = "end_turn" } } } }))
t.setup({}, { ["bodkin.suggest.model"] = { provider = "replay", name = t.path("model.json"), format = "sweep" } }, { window = "none" })
t.open("a.py")
t.keys("wciwsys\27")
local function hint(line)
  local marks = vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_create_namespace("bodkin_next_edit"), { line - 1, 0 }, { line - 1, -1 },
    { details = true })
  return marks[1] and vim.trim(marks[1][4].virt_text[1][1])
end
t.wait("the hint", function()
  if not hint(5) and require("bodkin.next_edit").is_answered(0) then
    vim.cmd("doautocmd <nomodeline> TextChanged") -- no script sees Neovim do that; the model may not be chosen yet
  end
  return hint(5) == "→ data = read(path, True)  (]=, not checked)"
end)
t.keys("]=")
t.equal(vim.api.nvim_win_get_cursor(0), { 5, 4 }, "the key goes there")
t.keys("]=")
t.equal(vim.fn.getline(5), "    data = read(path, True)", "the key makes the change")
