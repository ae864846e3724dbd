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

-- A window of bodkin's in a session (:mksession) comes back as an ordinary buffer of that name, which is not to be written.
vim.api.nvim_create_autocmd({ "BufReadCmd", "BufFilePost" }, {
  group = vim.api.nvim_create_augroup("bodkin_leftovers", { clear = true }),
  pattern = "bodkin://*",
  callback = function(event)
    local is_empty = vim.deep_equal(vim.api.nvim_buf_get_lines(event.buf, 0, -1, false), { "" })
    if vim.bo[event.buf].buftype ~= "" or not is_empty then
      return -- it is none
    end
    vim.bo[event.buf].buftype, vim.bo[event.buf].buflisted = "nofile", false
    vim.schedule(function() -- the session goes on with this window
      pcall(vim.api.nvim_buf_delete, event.buf, { force = true })
    end)
  end,
})

for _, name in ipairs({ "ask", "fix", "explain", "new", "next", "prev", "accept", "reject", "accept_file", "reject_file",
  "apply", "discard", "diff", "unified", "undo", "redo", "cancel", "log", "answer", "proposals", "sessions", "retry", "model", "mode" }) do
  local modes = (name == "ask" or name == "fix" or name == "explain") and { "n", "x" } or { "n" }
  vim.keymap.set(modes, ("<Plug>(bodkin-%s)"):format(name), function()
    require("bodkin.keys").run(name)
  end, { silent = true, desc = "bodkin: " .. name })
end
