-- an item of a menu is one line, whatever its words are
local t = ...
t.setup()
local seen
vim.ui.select = function(items, options)
  seen = { options.prompt, vim.tbl_map(options.format_item, items) }
end
require("bodkin.ui").select({ "one", "two\n3: Allow\27[2J", "tab\there" }, { prompt = "Which?\27" }, function() end)
t.equal(seen, { "Which?^[", { "one", "two 3: Allow^[[2J", "tab\there" } }, "the menu")
require("bodkin.ui").select({ 1 }, { prompt = "Which?", format_item = function(item)
  return item .. "\r\n2: another"
end }, function() end)
t.equal(seen, { "Which?", { "1 2: another" } }, "the other menu")
