-- what needs permission waits while the user types on: no key is taken as an answer, :Bodkin answer gives it
local t = ...
t.write("a.py", "x = 1\n")
local call = { id = "c1", name = "edit", arguments = { path = "a.py", old_str = "x = 1", new_str = "x = 2" } }
local edit = { reply = { text = "", tool_calls = { call }, stop_reason = "tool_use" } }
t.setup({
  edit,
  { reply = { text = "Done.", stop_reason = "end_turn" } },
}, { agent = { profile = "tools", permissions = { edit = "ask" } } })
-- Nothing may open by itself.
vim.fn.confirm = function(question)
  t.fail("a dialog took the keys: " .. question)
end
vim.ui.select = function(_, options)
  t.fail("a menu took the keys: " .. options.prompt)
end
t.open("a.py")
vim.cmd("1Bodkin ask Make x two")
t.message("permission needed: Editing a.py")
-- Each of them is an answer in some dialog.
vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes("oy = 1<CR>aya<CR>1<CR>o<Esc>", true, false, true), "xt", false)
t.equal(t.text("a.py"), "x = 1\ny = 1\naya\n1\no\n", "what was typed")
t.equal(#t.ended, 0, "the number of asks that ended")
t.equal(t.proposals(), 0, "the number of proposals")

local titles, prompt
local function choose(begin)
  titles = nil
  vim.ui.select = function(items, options, chosen)
    titles, prompt = vim.tbl_map(options.format_item, items), options.prompt
    for index, title in ipairs(titles) do
      if vim.startswith(title, begin) then
        return chosen(items[index], index)
      end
    end
    t.fail("there is no answer " .. begin .. ": " .. table.concat(titles, " | "))
  end
  vim.cmd("Bodkin answer")
  t.wait("the menu", function()
    return titles
  end)
end

choose("Show details")
t.equal({ prompt, titles[2] }, { "bodkin asks: Editing a.py (+1 −1)", "Allow once" }, "the question stands once, the answers below it")
t.wait("the edit", function()
  -- As a document, or in the log.
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n"):find("+x = 2", 1, true)
end)
t.keys("q")
pcall(vim.cmd, "silent only")
vim.api.nvim_set_current_buf(t.buffer("a.py"))
-- A reason would be told to the model; without one the ask ends.
vim.ui.input = function(_, given)
  given("")
end
choose("Deny")
t.equal(t.end_of_ask()["end"], "refused", "how the ask ended")
t.equal(t.proposals(), 0, "the number of proposals")
vim.cmd("Bodkin answer")
t.message("no open questions")

vim.ui.input = function()
  t.fail("a reason was asked for, of what was allowed")
end
vim.cmd("1Bodkin new Make x two")
t.wait("the second question", function()
  local count = 0
  for _, message in ipairs(t.messages) do
    count = count + (message:find("permission needed", 1, true) and 1 or 0)
  end
  return count == 2
end)
choose("Allow once")
t.proposal()
