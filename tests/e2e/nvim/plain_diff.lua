-- without the plugin the diff of a proposal is shown as a document that says how to take it
local t = ...
t.write("a.py", "x = 1\n")
local said = {}
vim.lsp.handlers["window/showMessage"] = function(_, params)
  table.insert(said, params.message)
  return params
end
t.plain("a.py", { t.block("a.py", "x = 1\n", "x = 2\n") })
t.plain_ask(1, 1, "Make x two")
t.wait("the proposal", function()
  return #vim.diagnostic.get(t.buffer("a.py")) > 0
end)
t.choose("bodkin: Show diff")
t.wait("how to take it, above the diff", function()
  local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n") .. table.concat(said, "\n")
  return text:find('choose "bodkin: Apply" among the code actions', 1, true) and text:find("+x = 2", 1, true)
end)
