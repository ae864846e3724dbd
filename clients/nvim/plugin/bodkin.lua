-- Defines :Bodkin and the <Plug> maps. Nothing else is loaded before the first use.
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
  desc = "Let a language model correct code: ask, fix, accept, reject, apply, undo, …",
  complete = function(lead, line, position)
    return require("bodkin.commands").complete(lead, line, position)
  end,
})

for _, name in ipairs({ "ask", "fix", "explain", "new", "next", "prev", "accept", "reject", "accept_file", "reject_file",
  "apply", "discard", "diff", "unified", "undo", "redo", "cancel", "log", "answer", "proposals", "sessions", "retry", "model", "mode" }) do
  local modes = (name == "ask" or name == "fix" or name == "explain") and { "n", "x" } or { "n" }
  vim.keymap.set(modes, ("<Plug>(bodkin-%s)"):format(name), function()
    require("bodkin.keys").run(name)
  end, { silent = true, desc = "bodkin: " .. name })
end
