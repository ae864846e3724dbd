-- at 80 columns nothing is cut at its point: what to do about a silence, the lines of a prompt, long proposed lines
local t = ...
vim.o.columns, vim.o.lines = 80, 24
local long = "text = \"" .. ("wide "):rep(30) .. "END\""
t.write("a.py", "x = 1\n")
t.setup({ { reply = { text = t.block("a.py", "x = 1\n", long .. "\n"), stop_reason = "end_turn" } } })
t.open("a.py")
vim.cmd("1Bodkin ask Long")
t.proposal()
t.wait("the change", function()
  return #t.drawn("a.py") > 0
end)
local text, widest = "", 0
for _, line in ipairs(t.drawn("a.py")) do
  if line.text and line.groups[1] ~= "BodkinHint" or line.text and line.text:find("^↪") then
    text = text .. line.text:gsub("^↪ ", "")
    widest = math.max(widest, vim.fn.strdisplaywidth(line.text))
  end
end
t.contains(text:gsub(" ", ""), (long:gsub(" ", "")), "the proposed line")
t.equal(widest <= 80, true, "its rows are as wide as the window: " .. widest)

-- The prompt shows all of its lines.
vim.cmd("Bodkin ask")
t.float()
vim.cmd("stopinsert")
t.keys("ione<C-J>two<C-J>three<Esc>")
vim.cmd("doautocmd TextChanged")
t.equal({ vim.api.nvim_win_get_height(0), vim.fn.line("w0") }, { 3, 1 }, "the rows of the prompt, and the first that is seen")
t.keys("q")

-- A silence: how long, and what can be done, first.
local status, loop = require("bodkin.status"), vim.uv or vim.loop
local client = require("bodkin.client").of(t.buffer("a.py"))
status.set({ state = "thinking", message = "Asking a-model-with-a-name at https://a-host-with-a-long-name.example.com:18765" }, client.id)
local now = loop.now
loop.now = function()
  return now() + 16000
end
t.contains(status.line():sub(1, 50), "silent for 16 s, :Bodkin cancel stops it", "the line")
vim.cmd("Bodkin log")
local rows = vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_create_namespace("bodkin_waiting"), 0, -1, { details = true })[1][4].virt_lines
local said = ""
for _, row in ipairs(rows) do
  said = said .. row[1][1]
  t.equal(vim.fn.strdisplaywidth(vim.trim(row[1][1])) <= vim.api.nvim_win_get_width(0), true, "a row fits: " .. row[1][1])
end
loop.now = now
t.contains(said, "a-host-with-a-long-name.example.com:18765", "the rows")
