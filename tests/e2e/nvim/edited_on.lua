-- what is typed into an edited proposal after its :write is not closed away with it
local t = ...
t.write("a.py", "x = 1\ny = 2\n")
t.setup({ t.block("a.py", "y = 2\n", "y = 20\n") })
t.open("a.py")
vim.cmd("2Bodkin ask Tens")
local first = t.proposal()
t.end_of_ask()
vim.cmd("Bodkin diff")
t.wait("the preview", function()
  return #vim.api.nvim_list_tabpages() == 2 and #vim.api.nvim_tabpage_list_wins(0) == 2
end)
t.keys("e")
local preview = vim.api.nvim_get_current_buf()
vim.api.nvim_buf_set_lines(preview, 1, 2, false, { "y = 21" })
local client = require("bodkin.client")
local request = client.request
client.request = function(which, method, params, ...)
  request(which, method, params, ...)
  if params.command == "bodkin.applyReply" then
    client.request = request
    vim.api.nvim_buf_set_lines(preview, -1, -1, false, { "z = 3" })
  end
end
vim.cmd("write")
local second = t.proposal(2)
t.message("the text was edited meanwhile; :write again proposes it")
t.state(second, "discarded")
t.equal(first.state, "ready", "the first one")
t.equal(vim.api.nvim_buf_get_lines(preview, 0, -1, false), { "x = 1", "y = 21", "z = 3" }, "what was typed")
vim.cmd("write")
t.equal(t.proposal(3).hunks[1].newText, "y = 21\nz = 3\n", "the proposal of all of it")
