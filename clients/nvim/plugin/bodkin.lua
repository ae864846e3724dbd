-- Defines :Bodkin. Nothing else is loaded before the first use.
if vim.g.loaded_bodkin then
  return
end
vim.g.loaded_bodkin = true

vim.api.nvim_create_user_command("Bodkin", function(command)
  require("bodkin.commands").run(command)
end, {
  nargs = "*",
  range = true,
  bang = true,
  desc = "Let a language model correct code: ask, fix, apply, discard, diff, …",
  complete = function(lead, line, position)
    return require("bodkin.commands").complete(lead, line, position)
  end,
})
