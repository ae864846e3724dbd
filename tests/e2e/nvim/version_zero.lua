-- Neovim applies an edit of version 0 to a newer buffer, so bodkin must check by itself
local t = ...
t.write("a.py", "x = 1\ny = 2\n")
t.setup({ t.block("a.py", "y = 2\n", "y = 20\n") })
t.open("a.py")
t.equal(vim.lsp.util.buf_versions[t.buffer("a.py")], 0, "the version of a buffer that was just opened")

-- The fact, without bodkin: the edit goes through, although the text is another by now.
vim.api.nvim_buf_set_lines(0, 0, 1, false, { "x = 1  # changed" })
local edit = { textDocument = { uri = vim.uri_from_bufnr(0), version = 0 }, edits = { {
  range = { start = { line = 0, character = 0 }, ["end"] = { line = 0, character = 1 } }, newText = "q" } } }
vim.lsp.util.apply_workspace_edit({ documentChanges = { edit } }, "utf-16")
t.equal(t.text("a.py"), "q = 1  # changed\ny = 2\n", "the buffer after an edit of version 0")
vim.cmd("silent undo | silent undo")
t.equal(t.text("a.py"), "x = 1\ny = 2\n", "the buffer after undo")

-- With bodkin: a proposal from the text of version 0 is not applied over what was typed since.
vim.cmd("edit!")
vim.cmd("2Bodkin ask Make y 20")
local proposal = t.proposal()
vim.api.nvim_buf_set_lines(0, 1, 2, false, { "y = 7" })
vim.cmd("Bodkin apply " .. proposal.id)
t.equal(t.outcome(proposal), "stale", "the proposal's state")
t.equal(t.text("a.py"), "x = 1\ny = 7\n", "the buffer")
