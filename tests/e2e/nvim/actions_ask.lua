-- what a code action asks is shown and can be asked again as any other request, and without a model it is said what can be done
local t = ...
t.write("a.py", "def area(r):\n    return r\n")
t.setup({ { error = { kind = "invalid_request", message = "Nobody is there.", status = 400 } } })
t.open("a.py")
local namespace = vim.api.nvim_create_namespace("test")
local function report()
  vim.diagnostic.set(namespace, 0, { { lnum = 1, col = 4, end_lnum = 1, end_col = 10, message = "no square", severity = 1, source = "test" } })
end
report()
vim.api.nvim_win_set_cursor(0, { 2, 4 })
t.wait("the fix to be offered", function()
  return table.concat(t.offers(), "\n"):find("bodkin: Fix “no square", 1, true)
end)
t.choose("bodkin: Fix “no square")
t.equal(t.end_of_ask(1)["end"], "failed", "the end")
t.message("(:Bodkin retry)")
t.contains(t.log(), "Fix: no square", "the log")
t.equal(#vim.fn.win_findbuf(require("bodkin.log").buffer()) > 0, true, "the words are seen")
vim.fn.writefile({ vim.fn.json_encode({ name = "scenario", turns = { { expect = { "no square" }, reply = {
  text = t.block("a.py", "    return r\n", "    return r * r\n"), stop_reason = "end_turn" } } } }) }, vim.env.WORK .. "-replay.json")
vim.cmd("Bodkin retry")
t.proposal()
t.equal(t.end_of_ask(2)["end"], "proposal", "the end of the second")

-- Without a model: the prompt that was typed is not lost.
local models = require("bodkin.models")
models.is_chosen = function()
  return false
end
local menus = {}
local client = require("bodkin.client").of(0)
vim.ui.select = function(_, options, chosen)
  table.insert(menus, options.prompt)
  chosen(nil)
end
client.commands["bodkin.ask"]({ command = "bodkin.ask", arguments = { { textDocument = { uri = vim.uri_from_bufnr(0) },
  range = { start = { line = 0, character = 0 }, ["end"] = { line = 2, character = 0 } } } } }, { client_id = client.id, bufnr = 0 })
t.float()
vim.cmd("stopinsert")
t.keys("iWith pi<CR>")
t.message("nothing was asked (:Bodkin retry)")
vim.cmd("Bodkin retry")
t.wait("the menu", function()
  return #menus == 2
end)
t.equal(menus, { "No model yet. What now?", "No model yet. What now?" }, "the menus")
