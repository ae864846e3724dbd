-- Going to a change in its file.
local M = {}

--- Puts the cursor on a change (inline.lua) if this buffer is looked at, and the proposed lines below it on the screen.
function M.to(buffer, hunk)
  if not hunk or vim.api.nvim_get_current_buf() ~= buffer then
    return
  end
  local line = vim.api.nvim_buf_get_lines(buffer, hunk.row, hunk.row + 1, false)[1] or ""
  vim.api.nvim_win_set_cursor(0, { hunk.row + 1, #line:match("^%s*") })
  pcall(vim.cmd, "normal! zv")
  if vim.fn.winline() > vim.api.nvim_win_get_height(0) * 2 / 3 then
    vim.cmd("normal! zz")
  end
  require("bodkin.window").make_room()
end

return M
