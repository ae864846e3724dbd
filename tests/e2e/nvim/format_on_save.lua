-- A formatter that runs on saving changes what was applied, and the lines around it: still applied, and undone
local t = ...
t.write("a.py", "def f(a,b):\n    return a+b\n")
t.setup({ t.block("a.py", "    return a+b\n", "    return a-b\n") })
t.open("a.py")
vim.api.nvim_create_autocmd("BufWritePre", {
  callback = function()
    local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
    for i, line in ipairs(lines) do
      lines[i] = line:gsub("a,b", "a, b"):gsub("a%-b", "a - b")
    end
    vim.api.nvim_buf_set_lines(0, 0, -1, false, lines)
  end,
})
vim.cmd("2Bodkin ask Subtract")
local proposal = t.proposal()
vim.cmd("Bodkin apply")
t.state(proposal, "applied")
vim.cmd("silent write")
t.equal(t.read("a.py"), "def f(a, b):\n    return a - b\n", "the formatted file")
vim.cmd("Bodkin undo")
t.state(proposal, "discarded")
t.equal(vim.api.nvim_buf_get_lines(0, 0, -1, false), { "def f(a, b):", "    return a+b" }, "the text after the undo")
