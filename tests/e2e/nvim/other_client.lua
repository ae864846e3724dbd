-- another language server that comes later sets Neovim's versions back: edits are taken all the same, and stale ones are not
local t = ...
t.clangd()
t.write("a.py", "x = 1\ny = 2\n")
t.setup({ t.block("a.py", "y = 2\n", "y = 20\n") })
t.open("a.py")
vim.api.nvim_buf_set_lines(0, 0, 0, false, { "typed = True" })
vim.cmd("silent write")
vim.cmd("3Bodkin ask Twenty")
local proposal = t.proposal()
t.end_of_ask()
local config = { name = "clangd", cmd = { "clangd", "--log=error" }, root_dir = t.path("") }
local id = vim.lsp.start and vim.lsp.start(config, { bufnr = 0 }) or vim.lsp.start_client(config)
vim.lsp.buf_attach_client(0, id)
t.wait("clangd", function()
  return vim.lsp.get_client_by_id(id).initialized
end)
vim.cmd("Bodkin apply")
t.state(proposal, "applied")
t.equal(t.text("a.py"), "typed = True\nx = 1\ny = 20\n", "the text")
