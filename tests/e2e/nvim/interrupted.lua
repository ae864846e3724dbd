-- an interrupt in a menu or at a prompt cancels, without an error, and long lists of sessions come in pages
local t = ...
t.write("a.py", "x = 1\n")
local call = { id = "c1", name = "edit", arguments = { path = "a.py", old_str = "x = 1", new_str = "x = 2" } }
local function plays(turn) -- each ask plays the recording from its beginning
  vim.fn.writefile({ vim.fn.json_encode({ name = "scenario", turns = { turn } }) }, vim.env.WORK .. "-replay.json")
end
t.setup({ "Nothing." }, { agent = { profile = "tools", permissions = { edit = "ask" } } })
t.open("a.py")
plays({ error = { kind = "invalid_request", message = "Nobody is there.", status = 400 } })
vim.cmd("Bodkin ask Nobody answers this")
t.equal(t.end_of_ask(1)["end"], "failed", "the end of the first ask")
plays({ reply = { text = "That is the answer.", stop_reason = "end_turn" } })
for i = 1, 17 do
  vim.cmd("Bodkin new Question " .. i)
  t.end_of_ask(i + 1)
end

local function interrupt()
  error("Keyboard interrupt", 0)
end
local menus = {}
-- Each menu takes the next of these: an index from the end (-1) or the beginning, or nil, which interrupts.
local function take(...)
  local picks = { ... }
  menus = {}
  vim.ui.select = function(items, options, chosen)
    table.insert(menus, vim.tbl_map(options.format_item, items))
    local pick = table.remove(picks, 1)
    if not pick then
      interrupt()
    end
    chosen(items[pick > 0 and pick or #items + 1 + pick])
  end
end

take()
local ok, reason = pcall(vim.cmd, "Bodkin resume")
t.equal({ ok, reason }, { true, "" }, "an interrupted menu")
t.wait("the menu", function()
  return #menus == 1
end)
t.equal(vim.v.errmsg, "", "the error")
t.equal(#menus[1], 16, "the first page")
t.contains(menus[1][1], "Question 17 (answered)", "the newest session")
t.contains(menus[1][16], "older… (2 more)", "the last entry")

take(-1, 2)
vim.cmd("Bodkin resume")
t.message("goes on with “Question 1”")
t.equal(#menus[2], 2, "the second page, without the ask that nobody answered")

plays({ reply = { text = "", tool_calls = { call }, stop_reason = "tool_use" } })
vim.cmd("Bodkin new Make x two")
t.message("permission needed: Editing a.py")
take()
vim.cmd("Bodkin answer")
t.wait("the menu", function()
  return #menus == 1
end)
vim.ui.input = interrupt
local refuse
for index, title in ipairs(menus[1]) do
  refuse = vim.startswith(title, "Deny") and index or refuse
end
take(refuse)
vim.cmd("Bodkin answer")
t.wait("the menu", function()
  return #menus == 1
end)
take()
vim.cmd("Bodkin answer") -- it is still open
t.wait("the menu", function()
  return #menus == 1
end)
t.equal(#t.ended, 18, "the number of asks that ended")
t.equal(vim.v.errmsg, "", "the error")
vim.cmd("Bodkin log")
t.wait("how it is answered, in the log", function()
  local log = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
  return log:find("permission needed: Editing a.py (+1 −1) (:Bodkin answer)", 1, true) and not log:find("code action", 1, true)
end)
