-- Neovim's part of tests/document_commands.py: runs each item {kind, text} of $ITEMS as a person would type it, and
-- writes into $RESULTS why it failed, or "". `lua` is a configuration, `vim` a script, `ex` a command.
local told, bad_level, restarted

vim.notify = function(message, level)
  restarted = restarted or message:find("the server was restarted", 1, true) ~= nil
  if (level or 0) >= bad_level then
    table.insert(told, message)
  end
end
vim.ui.select = function(_, _, choose) -- nothing is chosen
  choose(nil)
end
vim.ui.input = vim.ui.select

local function only_the_file()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= "" then
      vim.api.nvim_win_close(window, true)
    end
  end
  vim.cmd("stopinsert | silent! tabonly! | silent! only! | edit! " .. vim.env.HOME .. "/work/shapes.py")
end

-- Waits until the server has answered, and no ask is running. A server that is being replaced answers no more: then the
-- next one is asked. No request is left behind, which would be lost with a restart, and said so.
local function settle()
  local ended, asked_at, last = false, nil, "no answer"
  local now = (vim.uv or vim.loop).now
  assert(vim.wait(30000, function()
    if not ended and (not asked_at or now() - asked_at > 3000) then
      asked_at = now()
      require("bodkin.requests").with_any(function(client)
        require("bodkin.client").request(client, require("bodkin.extensions").status, vim.empty_dict(), function(status)
          ended = #(status.asks or {}) == 0
          last = vim.inspect(status.asks)
          asked_at = nil
        end)
      end)
    end
    return ended
  end, 50), "it does not end: " .. last)
end

-- Starts the server anew, with what is set up now.
local function serve()
  only_the_file()
  restarted = false
  vim.cmd("Bodkin restart")
  assert(vim.wait(30000, function()
    return restarted
  end, 10), "the server does not start")
  settle()
end

-- A configuration runs chunk by chunk: lines that can be run together.
local function configure(text)
  local lines = ""
  for line in (text .. "\n"):gmatch("(.-)\n") do
    lines = lines .. line .. "\n"
    local head = lines:gsub("%-%-[^\n]*", ""):match("^%s*(%S*)")
    local is_option = head:match("^%w+$") -- of setup{}
    local is_plugin = head:match("^{") -- of a plugin manager
    local run = load(is_option and "require('bodkin').setup({" .. lines .. "})" or is_plugin and "return " .. lines or lines)
    if head == "" then
      lines = ""
    elseif run then
      local spec = run()
      if is_plugin then
        assert(vim.fn.isdirectory(vim.env.TOP .. spec.dir:match("/bodkin(/.*)$")) == 1, spec.dir .. " is no folder of a checkout")
        require("bodkin").setup(spec.opts)
      end
      if lines:find("settings = {") then
        serve()
      end
      lines = ""
    end
  end
  assert(lines == "", "not Lua: " .. lines)
end

local run = {
  lua = configure,
  vim = function(text)
    vim.cmd(text)
    vim.api.nvim_eval_statusline(vim.o.statusline, {})
  end,
}

local function words()
  return vim.fn.getcompletion("Bodkin ", "cmdline")
end

function run.ex(text)
  local name = text:match("Bodkin!? (%l+)")
  assert(not text:find("Bodkin", 1, true) or vim.tbl_contains(words(), name), "there is no such subcommand")
  if name == "restart" then
    return serve()
  end
  only_the_file()
  vim.cmd(text)
  only_the_file()
  settle()
end

local results, items = {}, vim.fn.json_decode(vim.fn.readfile(vim.env.ITEMS))
for i, item in ipairs(items) do
  -- That there is no proposal, for example, is only a warning; of a configuration there must be none.
  told, vim.v.errmsg, bad_level = {}, "", vim.log.levels[item.kind == "ex" and "ERROR" or "WARN"]
  if item.kind == "ex" and (i == 1 or items[i - 1].kind ~= "ex") then
    require("bodkin").setup({ trusted = true })
    serve()
  end
  local ran, why = xpcall(run[item.kind], debug.traceback, item.text)
  results[i] = not ran and why or vim.v.errmsg ~= "" and vim.v.errmsg or table.concat(told, "\n")
end
local done, failed = pcall(vim.fn.writefile, { vim.fn.json_encode(results) }, vim.env.RESULTS)
io.stderr:write(done and "" or failed)
vim.cmd("qall!")
