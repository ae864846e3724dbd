-- in the command-line window (q:) a command says that it does not work there, and what comes by itself waits until it is left
local t = ...
t.write("a.py", "x = 1\ny = 2\nz = 3\n")
local s = t.screen({ t.block("a.py", "y = 2\n", "y = 20\n") }, nil, { window = "float" })
s.open("a.py")

local function enter()
  s.keys(":<C-F>")
  t.wait("the command-line window", function()
    return s.lua("return vim.fn.getcmdwintype()") == ":"
  end)
end

local function leave()
  s.keys("<C-C>")
  t.wait("the command line", function()
    return s.mode() == "c"
  end)
  s.keys("<C-C>")
end

-- How many windows show a buffer of this name.
local function windows(name)
  return s.lua([[
    local wanted = ...
    return #vim.tbl_filter(function(window)
      return vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(window)):find(wanted) ~= nil
    end, vim.api.nvim_list_wins())
  ]], name)
end

enter()
for _, command in ipairs({ "Bodkin log", "Bodkin ask", "normal \\<Plug>(bodkin-ask)" }) do
  s.lua([[vim.cmd("messages clear"); vim.v.errmsg = ""; vim.cmd(('exe "%s"'):format(...))]], command)
  t.contains(s.said(), "does not work in the command-line window", "what is said of " .. command)
  t.equal(s.lua("return vim.v.errmsg"), "", "the error")
end
s.lua("require('bodkin.prompt').open({ title = 'The server asks' }, function() end)")
t.equal(s.lua("return vim.fn.getcmdwintype()"), ":", "the command-line window stays")
leave()
s.wait("the prompt", "return vim.bo.filetype == 'bodkinprompt'")
s.keys("<Esc><Esc>")
s.wait("the file", "return vim.fn.expand('%:t') == 'a.py'")

-- The window of the words makes room for a proposal, and the preview closes with it, but not beside the command-line window.
s.lua("require('bodkin.window').show()")
enter()
s.lua("require('bodkin.window').ended('proposal')")
leave()
t.wait("the words to close", function()
  return windows("^bodkin://log$") == 0
end)
s.lua("vim.cmd('1Bodkin ask x')")
s.pending(1)
s.lua("vim.cmd('Bodkin diff')")
t.wait("the preview", function()
  return windows("^bodkin://.*/a.py$") == 1
end)
enter()
s.lua("local all = require('bodkin.proposals'); all.apply(all.pending()[1])")
s.wait("the outcome", "return require('bodkin.proposals').all()[1].state == 'applied'")
t.equal(s.text("a.py"), "x = 1\ny = 20\nz = 3\n", "the text")
t.equal(s.lua("return vim.fn.getcmdwintype()"), ":", "the command-line window stays")
leave()
t.wait("the preview to close", function()
  return windows("^bodkin://.*/a.py$") == 0
end)
t.equal(s.lua("return vim.v.errmsg"), "", "the error")
s.stop()
