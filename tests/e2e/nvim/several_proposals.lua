-- several proposals have a list with titles and outcomes, and the one that is picked is drawn; a menu of code actions has one of them
local t = ...
t.write("a.py", "x = 1\n")
t.setup({ t.block("a.py", "x = 1\n", "x = 2\n"), t.block("a.py", "x = 1\n", "x = 3\n") })
t.open("a.py")
vim.cmd("Bodkin proposals")
t.message("no pending proposal")
vim.cmd("1Bodkin ask Make x two")
t.proposal(1)
t.end_of_ask(1)
vim.cmd("1Bodkin ask Make x three")
t.proposal(2)
t.end_of_ask(2)
local function drawn(text)
  t.wait(text .. " to be drawn", function()
    for _, each in ipairs(t.drawn("a.py")) do
      if each.text and each.text:find(text, 1, true) then
        return true
      end
    end
  end)
end
drawn("x = 3")
local titles
vim.ui.select = function(items, options, chosen)
  titles = vim.tbl_map(options.format_item, items)
  chosen(items[2], 2)
end
vim.cmd("Bodkin proposals")
drawn("x = 2")
t.equal(titles[1], "Make x three  (a.py; ? only the syntax was checked)", "the newest")
t.contains(titles[2], "Make x two", "the older one")
t.message("? only the syntax was checked; 1 change in 1 file (:Bodkin diff)")

-- Neovim's own menu has the actions of one, and a line for the others.
vim.api.nvim_win_set_cursor(0, { 1, 0 })
local function actions()
  return vim.tbl_filter(function(title)
    return title:find("Apply", 1, true) or title:find("Show diff", 1, true) or title:find("other", 1, true)
  end, t.offers())
end
local offered = actions()
t.contains(table.remove(offered, 1), "bodkin: Apply proposal (1 file, 1 hunk, ?", "the first action")
t.equal(offered, { "bodkin: Show diff", "bodkin: 1 other proposal: show “Make x two” (a.py)" }, "the other actions")
t.choose("bodkin: 1 other proposal")
t.wait("the preview of the other one", function()
  local shown = require("bodkin.diff").here()
  return shown and shown.title == "Make x two"
end)
vim.cmd("Bodkin apply")
t.state(require("bodkin.proposals").all()[2], "applied")
vim.ui.select = function(items, options, chosen)
  titles = vim.tbl_map(options.format_item, items)
  chosen(nil)
end
vim.cmd("Bodkin proposals")
t.wait("the list", function()
  return vim.tbl_contains(titles, "Make x two  (a.py; applied)")
end)
