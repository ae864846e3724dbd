-- a new file is shown as one in the preview, a deletion is said in words and taken as a whole
local t = ...
t.write("old.py", "x = 1\ny = 2\n")
t.setup({
  { reply = { text = "", tool_calls = {
    { id = "c1", name = "edit", arguments = { path = "new.py", old_str = "", new_str = "x = 1\n" } },
    { id = "c2", name = "delete_file", arguments = { path = "old.py" } },
  }, stop_reason = "tool_use" } },
  { reply = { text = "Done.", stop_reason = "end_turn" } },
}, { agent = { profile = "tools" } })
t.open("old.py")
vim.cmd("Bodkin ask Move it elsewhere")
local proposal = t.proposal()
local words = vim.tbl_map(require("bodkin.files").words, proposal.files)
t.wait("the words", function()
  return #t.drawn("old.py") > 0
end)
t.contains(vim.inspect(words), "new file new.py", "the files: " .. vim.inspect(proposal.edit))
t.contains(vim.inspect(words), "old.py is deleted", "the files: " .. vim.inspect(proposal.edit))
local said
for _, each in ipairs(t.drawn("old.py")) do
  said = each.text and each.text:find("old.py is deleted", 1, true) and each.text or said
end
t.contains(said, "old.py is deleted", "what is drawn")
vim.cmd("Bodkin accept file")
t.wait("the file to be gone", function()
  return t.read("old.py") == nil
end)
