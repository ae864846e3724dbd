-- an edit that comes while something is half typed waits: the keys that follow do what they would have done without it
local t = ...
local text = "x = 1\ny = 2\nkeep\naa one\nba two\nca thre\nda four\n"
-- What it is, the keys before the edit and after it, the mode between them, what the person is told then.
local cases = {
  { "an operator", "4Gd", "d", "no", "not applied yet: a command is half typed" },
  { "an operator's search", "4Gd/c", "a<CR>", "c" },
  { "a yank", "4Gy", "yGp", "no" },
  { "line numbers in a command line", ":4,5d", "<CR>", "c" },
  { "a command line that shows what it would do", ":4s/a", "<Esc>", "c" },
  { "an expression in Insert mode", "4GA<C-R>=1+", "1<CR><Esc>", "c" },
  { "a block, inserted before", "4G0<C-V>jI#", "<Esc>", "i", "has an insertion into a block of lines" },
  { "a block, appended to", "4G$<C-V>jA#", "<Esc>", "i" },
  { "a block, changed", "4G0<C-V>jc#", "<Esc>", "i" },
  { "a menu of completions", "Gozebra = 5<CR>ze<C-N>", "bra<Esc>", "ic", "has a menu of completions" },
}
if vim.fn.has("nvim-0.10") == 1 then -- older ones do nothing else while they ask
  table.insert(cases, { "a question about each place", ":4,$s/a/Q/c<CR>", "yyyy", "r?" })
end
if vim.fn.exists("&autocomplete") == 1 then
  table.insert(cases, { "a menu that comes by itself", ":set autocomplete<CR>Gozebra = 5<CR>ze", "bra <Esc>", "ic" })
end
for number, case in ipairs(cases) do
  local what, before, after, mode, words = unpack(case)
  local name, answers = ("f%d.txt"):format(number), "answer" .. number
  t.write(name, text)
  local s = t.screen({ t.block(name, "y = 2\n", "y = 20\nyy = 3\n") }, nil, { trusted = true })
  s.open(name)
  s.keys(before)
  s.keys(after)
  s.keys(":let g:typed = 1<CR>")
  t.wait("the keys of " .. what, function()
    return s.mode() == "n" and s.lua("return vim.g.typed") == 1
  end)
  local wanted = s.text(name):gsub("y = 2\n", "y = 20\nyy = 3\n")
  s.lua("vim.cmd('edit! | 1Bodkin ask x')")
  s.pending(1)
  s.drawn()
  s.lua([[
    local mode, answers = ...
    local proposals = require("bodkin.proposals")
    local client = require("bodkin.client").of(0)
    local handler = client.handlers["workspace/applyEdit"]
    client.handlers["workspace/applyEdit"] = function(...)
      local answer = handler(...)
      vim.fn.writefile({ tostring(answer.applied) }, answers)
      return answer
    end
    local timer = (vim.uv or vim.loop).new_timer()
    timer:start(0, 10, function()
      if vim.api.nvim_get_mode().mode == mode and not timer:is_closing() then
        timer:close()
        vim.schedule(function()
          proposals.apply(proposals.pending()[1])
        end)
      end
    end)
  ]], mode, t.path(answers))
  s.keys(before)
  t.wait("the edit in the midst of " .. what, function()
    return t.read(answers) ~= nil
  end)
  if words then
    s.wait("words", "return vim.fn.execute('messages'):find(..., 1, true) ~= nil", words)
  end
  s.keys(after)
  t.wait("the edit after " .. what, function()
    return not s.mode():find("^r") and s.text(name):find("yy = 3", 1, true)
  end)
  s.wait("its end", "return vim.api.nvim_get_mode().mode == 'n' and require('bodkin.proposals').all()[1].state == 'applied'")
  t.equal(s.text(name), wanted, what)
  s.keys("u")
  s.wait("it to be undone", "return vim.fn.search('^yy = 3', 'n') == 0")
  t.equal(s.text(name), (wanted:gsub("y = 20\nyy = 3\n", "y = 2\n")), "after undo, " .. what)
  s.stop()
end
