-- without the plugin a proposal for a file that is not open is named, and offered at the comment that asked for it
local t = ...
t.write("a.py", "# bodkin: Delete the notes\nx = 1\n")
t.write("notes.txt", "a note\n")
local said = ""
vim.lsp.handlers["window/showMessage"] = function(_, params)
  said = said .. params.message .. "\n"
  return params
end
t.plain("a.py", { "*** Begin Patch\n*** Delete File: notes.txt\n*** End Patch\n" })
t.plain_ask(1, 1, "Delete the notes")
t.wait("the proposal", function()
  return said:find("notes.txt is deleted", 1, true)
end)
t.contains(said, "with the code actions of any open file", "where to find it")
vim.api.nvim_win_set_cursor(0, { 1, 0 })
t.contains(table.concat(t.offers(), "\n"), "bodkin: Apply “Delete the notes” (notes.txt)", "the actions at the comment")
vim.api.nvim_win_set_cursor(0, { 2, 0 })
t.choose("bodkin: Apply “Delete the notes” (notes.txt)")
t.wait("the file to be gone", function()
  return t.read("notes.txt") == nil
end)
