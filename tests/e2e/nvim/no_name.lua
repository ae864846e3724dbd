-- what is in a buffer without a file is edited, if its language is known: one without a name, and a scratch buffer
local t = ...
t.write("b.py", "y = 1\n")
local untitled = "untitled:Buffer-" .. vim.api.nvim_get_current_buf()
local scratch = vim.api.nvim_create_buf(true, true)
local function edit(path, old, new)
  return { expect = { old }, reply = { text = t.block(path, old .. "\n", new .. "\n"), stop_reason = "end_turn" } }
end
t.setup({
  { expect = { "What is x?", "x = 1" }, reply = { text = "It is **one**.", stop_reason = "end_turn" } },
  edit(untitled, "x = 1", "x = 2"),
  edit(untitled, "z = 3", "z = 4"),
  edit("a.py", "x = 2", "x = 5"),
  edit("untitled:Buffer-" .. scratch, "s = 1", "s = 2"),
})
local function lines()
  return vim.api.nvim_buf_get_lines(0, 0, -1, false)
end
vim.api.nvim_buf_set_lines(0, 0, -1, false, { "x = 1" })
vim.cmd("Bodkin ask What is x?")
t.message("edits need a language or a name")
t.equal(t.end_of_ask()["end"], "answer", "how the question ended")
vim.cmd("setfiletype python")
local count = 0
local function apply(words)
  count = count + 1
  vim.cmd("Bodkin! ask " .. words)
  local proposal = t.proposal(count)
  vim.cmd("Bodkin apply")
  t.state(proposal, "applied")
end
apply("Two")
t.equal({ lines(), vim.bo.modified }, { { "x = 2" }, true }, "the text, which nobody has saved")
-- What is typed is known at once.
vim.api.nvim_buf_set_lines(0, 1, 1, false, { "z = 3" })
apply("Four")
t.equal(lines(), { "x = 2", "z = 4" }, "the text after the second edit")
vim.cmd("Bodkin undo")
t.wait("the undo", function()
  return vim.deep_equal(lines(), { "x = 2", "z = 3" })
end)
t.equal(vim.fn.bufexists(untitled), 0, "a buffer with the URI as its name")
vim.cmd("silent write " .. t.path("a.py"))
apply("Five")
t.equal(t.text("a.py"), "x = 5\nz = 3\n", "the text, with a name")
vim.api.nvim_set_current_buf(scratch)
vim.bo.filetype = "python"
vim.api.nvim_buf_set_lines(0, 0, -1, false, { "s = 1" })
apply("In the scratch buffer")
t.equal({ lines(), vim.bo.buftype }, { { "s = 2" }, "nofile" }, "the scratch buffer")
