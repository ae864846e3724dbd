-- what is typed in the log's last line stays as it is, and where it is, while the model's words come in above it
local t = ...
t.write("a.py", "x = 1\n")
local s = t.screen({ { reply = { text = ("A line of words.\n"):rep(60) .. "That is all.", stop_reason = "end_turn" }, chunk_bytes = 9, delay_ms = 10 } })
s.open("a.py")
s.keys(":1Bodkin ask What is x?<CR>")
local function rows()
  return s.lua("return require('bodkin.transcript').rows()")
end
t.wait("the first words", function()
  return rows() > 8
end)
s.keys(":Bodkin log<CR>iMore")
s.wait("what is typed", "return require('bodkin.transcript').prompt() == 'More'")
local before = rows()
t.wait("more words", function()
  return rows() > before + 5
end)
s.keys("<C-J>of it")
s.wait("the second line", "return require('bodkin.transcript').prompt() == 'More\\nof it'")
t.wait("all of the words", function()
  return s.lua("return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n')"):find("Answered after", 1, true)
end)
t.equal({ s.mode(), s.lua("return require('bodkin.transcript').prompt()") }, { "i", "More\nof it" }, "the mode, and what was typed")
t.equal(s.lua([[
  local cursor, last = vim.api.nvim_win_get_cursor(0), vim.api.nvim_buf_line_count(0)
  return { cursor[1] == last, cursor[2], vim.fn.line("w$") == last, vim.bo.modified }
]]), { true, 5, true, false }, "the cursor is at the end of the last line, which is seen")
s.stop()
