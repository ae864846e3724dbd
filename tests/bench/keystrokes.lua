-- For keystrokes.sh: types into a file of 20,000 lines and prints what each key costs.
local work = vim.env.WORK
local count = 300

local function median_of(times)
  table.sort(times)
  return times[math.floor(#times / 2) + 1], times[math.floor(#times * 0.99)]
end

-- Each key as one feedkeys with "x": all that hangs on the change has run when it returns, but what is sent later.
local function typed(name)
  local times = {}
  vim.api.nvim_win_set_cursor(0, { 10000, 0 })
  for i = 1, count + 20 do
    local begun = os.clock() -- of the processor, and not of a machine that has other work
    vim.api.nvim_feedkeys(i % 40 == 0 and "o" or "ax", "xt", false)
    local time = (os.clock() - begun) * 1e3
    vim.wait(1, function() end) -- what was put off
    if i > 20 then
      table.insert(times, time)
    end
  end
  local median, worst = median_of(times)
  io.stdout:write(("%-32s median %.3f ms, 99%% %.3f ms\n"):format(name, median, worst))
  return median
end

local function main()
  local lines = {}
  for i = 1, 20000 do
    lines[i] = ("value_%d = compute(%d)  # the %dth of all values"):format(i, i, i)
  end
  vim.fn.writefile(lines, work .. "/a.py")
  local turn = { reply = { text = "", stop_reason = "end_turn" } }
  for _, at in ipairs({ 100, 9990, 10020, 19000 }) do
    turn.reply.text = turn.reply.text .. ("a.py\n<<<<<<< SEARCH\n%s\n=======\nvalue_%d = 0\n>>>>>>> REPLACE\n\n"):format(lines[at], at)
  end
  vim.fn.writefile({ vim.fn.json_encode({ name = "bench", turns = { turn } }) }, work .. "/replay.json")
  vim.opt.runtimepath:append(vim.env.TOP .. "/clients/nvim")
  vim.cmd("runtime plugin/bodkin.lua")
  vim.opt.swapfile = false
  vim.opt.showmode = false
  vim.notify = function() end
  vim.cmd("edit " .. work .. "/a.py")
  local without = typed("without bodkin")
  -- What Neovim's own client costs with any server: it reads all lines with each key, and the collector their tables. Ours
  -- is what comes on top, also at the 99%.
  local bare = vim.lsp.start_client({ name = "bare", cmd = { vim.env.BODKIN }, root_dir = work })
  vim.lsp.buf_attach_client(0, bare)
  vim.wait(30000, function()
    return (vim.lsp.get_client_by_id(bare) or {}).initialized
  end)
  vim.wait(2000, function() end)
  local neovims = typed("with a bare client of bodkin")
  vim.lsp.stop_client(bare, true)
  vim.wait(500, function() end)
  vim.cmd("edit!")
  require("bodkin").setup({ cmd = { vim.env.BODKIN }, settings = { model = { provider = "replay", name = work .. "/replay.json" },
    verify = { servers = { ["*"] = { command = {} } } } } })
  vim.bo.filetype = "python"
  local client_of = require("bodkin.client")
  vim.wait(30000, function()
    local client = client_of.of(0)
    return client and client.initialized
  end)
  vim.wait(2000, function() end) -- until it has read the file
  local with = typed("with bodkin")
  vim.cmd("edit!")
  vim.wait(1000, function() end)
  vim.cmd("10000Bodkin ask Zero")
  vim.wait(60000, function()
    return require("bodkin.inline").of(vim.api.nvim_get_current_buf()) ~= nil
  end, 20)
  local drawn = typed("with bodkin, 4 changes drawn")
  io.stdout:write(("bodkin costs %.3f ms a key, %.3f ms with drawn changes; Neovim's client alone %.3f ms\n"):format(
    with - without, drawn - without, neovims - without))
  os.exit(0)
end

vim.api.nvim_create_autocmd("VimEnter", { callback = function()
  vim.schedule(function()
    local ok, reason = pcall(main)
    if not ok then
      io.stdout:write(tostring(reason), "\n")
      os.exit(1)
    end
  end)
end })
