-- a session (:mksession) does not bring bodkin's windows back as buffers of ordinary files
local t = ...
t.write("a.py", "x = 1\ny = 2\nz = 3\n")
local s = t.screen({ t.block("a.py", "y = 2\n", "y = 20\n") })
s.open("a.py")
s.lua("vim.cmd('1Bodkin ask x')")
s.pending(1)

-- What another Neovim has of a session that was made with what `open` opens.
local function restored(open)
  s.lua(open)
  s.wait("the window", "return #vim.tbl_filter(function(b) return vim.api.nvim_buf_get_name(b):find('^bodkin://') ~= nil end, "
    .. "vim.tbl_map(vim.api.nvim_win_get_buf, vim.api.nvim_list_wins())) > 0")
  s.lua("vim.cmd('mksession! ' .. ...)", t.path("session.vim"))
  s.lua("vim.cmd('tabonly! | only!')")
  local other = t.screen()
  other.lua("vim.cmd('silent source ' .. ...)", t.path("session.vim"))
  other.wait("the leftover to go", "return #vim.tbl_filter(function(b) "
    .. "return vim.api.nvim_buf_get_name(b):find('bodkin://', 1, true) ~= nil end, vim.api.nvim_list_bufs()) == 0")
  other.lua("vim.cmd('silent wall')")
  t.equal(vim.fn.readdir(t.path("")), { ".git", "a.py", "session.vim" }, "the files")
  t.equal(other.lua("return vim.v.errmsg"), "", "the error")
  t.equal(other.lua("return vim.api.nvim_buf_get_name(0)"), t.path("a.py"), "the buffer that is left")
  other.stop()
end

restored("vim.cmd('Bodkin diff')")
restored("vim.cmd('Bodkin unified')")
restored("require('bodkin.window').split()")

-- :edit in the log leaves it as it is
s.lua("require('bodkin.window').split()")
local before = s.lua("return vim.api.nvim_buf_get_lines(0, 0, -1, false)")
s.lua("vim.cmd('edit')")
t.equal(s.lua("return vim.api.nvim_buf_get_lines(0, 0, -1, false)"), before, "the log")
t.equal(s.lua("return vim.v.errmsg"), "", "the error")

-- A text of the person's that has such a name is theirs
s.lua("vim.cmd('new'); vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'mine' }); vim.cmd('file bodkin://mine')")
s.lua("vim.cmd('redraw')")
t.equal(s.lua("return vim.api.nvim_buf_get_lines(vim.fn.bufnr('bodkin://mine'), 0, -1, false)"), { "mine" }, "the text")
s.stop()
