-- sessions are renamed and deleted; the asks of a file do not go on in one that is gone
local t = ...
t.write("a.py", "x = 1\n")
local function answer(text, ...)
  return { expect = { ... }, reply = { text = text, stop_reason = "end_turn" } }
end
t.setup({ answer("It is one.", "What is x?"), answer("Nobody knows.", "It is one.", "And why?") })
t.open("a.py")
vim.cmd("Bodkin ask What is x?")
t.end_of_ask(1)
local offered, pick
vim.ui.select = function(items, options, choose)
  offered = table.concat(vim.tbl_map(options.format_item or tostring, items), "\n")
  choose(items[pick(items)])
end
local function first()
  return 1 -- the newest session, and then to keep it
end
vim.ui.input = function(options, take)
  t.equal(options.default, "What is x?", "the title of before")
  take("All about x")
end
pick = first
vim.cmd("Bodkin sessions rename")
t.message("the session is now “All about x”")
vim.cmd("Bodkin ask And why?") -- it is the same session still
t.end_of_ask(2)
t.contains(t.log(), "Nobody knows.", "the second answer")

vim.cmd("Bodkin sessions delete")
t.wait("the question", function()
  return offered and offered:find("Keep it", 1, true)
end)
pick = function(items)
  return type(items[1]) == "table" and 1 or 2
end
vim.cmd("Bodkin sessions delete")
t.message("“All about x” is deleted")
vim.cmd("Bodkin sessions")
t.message("no sessions in this workspace yet")
t.equal(require("bodkin.asks").session_of(require("bodkin.client").of(0), vim.uri_from_bufnr(0)), nil, "the session of the file")
