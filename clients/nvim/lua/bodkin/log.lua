-- The log buffer (:Bodkin log), which can be watched while the model works, and the status.
local M = {}

local client_of = require("bodkin.client")

local name = "bodkin://log"
local current = { state = "idle", message = "" }
local buffer

local function log_buffer()
  if buffer and vim.api.nvim_buf_is_valid(buffer) then
    return buffer
  end
  buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(buffer, name)
  vim.bo[buffer].filetype = "bodkinlog"
  vim.bo[buffer].modifiable = false
  return buffer
end

-- Appends text to the log; windows that show the end keep showing it.
local function append(text)
  local target = log_buffer()
  local count = vim.api.nvim_buf_line_count(target)
  local lines = vim.split(text, "\n", { plain = true })
  local tail = vim.api.nvim_buf_get_lines(target, count - 1, count, false)[1] or ""
  lines[1] = tail .. lines[1]
  vim.bo[target].modifiable = true
  vim.api.nvim_buf_set_lines(target, count - 1, count, false, lines)
  vim.bo[target].modifiable = false
  for _, window in ipairs(vim.fn.win_findbuf(target)) do
    if vim.api.nvim_win_get_cursor(window)[1] >= count then
      vim.api.nvim_win_set_cursor(window, { vim.api.nvim_buf_line_count(target), 0 })
    end
  end
end

local streaming -- "text" or "thought" while that is being streamed
local held = {} -- lines logged meanwhile, which would interrupt the model's text

local function add_line(text)
  local target = log_buffer()
  local last = vim.api.nvim_buf_get_lines(target, -2, -1, false)[1] or ""
  append((last == "" and "" or "\n") .. text .. "\n")
end

local function timed(text)
  return os.date("%H:%M:%S ") .. text:gsub("\n", "\n         ")
end

--- One line of its own, with the time.
function M.line(text)
  streaming = nil
  for _, line in ipairs(held) do
    add_line(line)
  end
  held = {}
  add_line(timed(text))
end

local told = {} -- when a message was logged or shown, by its text

-- The same message may arrive in several ways; log it once.
local function is_news(text)
  local now = (vim.uv or vim.loop).now()
  for each, time in pairs(told) do
    if now - time > 2000 then
      told[each] = nil
    end
  end
  if told[text] then
    return false
  end
  told[text] = now
  return true
end

--- Logs a message from the server or the client.
function M.message(text)
  text = text:gsub("^bodkin: ", ""):gsub(" %(%d+ more in the log%)$", "")
  if is_news(text) then
    M.line(text)
  end
end

function M.stream(params)
  if type(params.step) == "table" then
    local step = params.step
    if step.failed or #step.files > 0 or step.ms >= 1000 then
      M.line("  " .. client_of.plain(params.text or ""))
    end
    return
  end
  -- Anything other than text or thought is also sent as the status, which is logged there.
  if params.kind ~= "text" and params.kind ~= "thought" then
    return
  end
  if streaming ~= params.kind then
    M.line(params.kind == "thought" and "the model is thinking:" or "the model says:")
    streaming = params.kind
  end
  append(params.text or "")
end

function M.set_status(params)
  local changed = params.state ~= current.state or params.message ~= current.message
  local has_other_mode = params.mode ~= current.mode
  current = params
  if has_other_mode then
    vim.cmd("redrawstatus!")
  end
  if changed then
    if params.state ~= "idle" then
      local text = params.state .. ((params.message or "") ~= "" and ": " .. params.message or "")
      if streaming and params.state == "editing" then -- reports what is being streamed
        held[#held + 1] = timed(text)
      else
        M.line(text)
      end
    end
    vim.cmd("redrawstatus!")
    client_of.event("BodkinStatus", params)
  end
end

function M.status()
  return current
end

function M.end_ask(params)
  local message = params.message or ""
  M.line("ended (" .. params["end"] .. ")" .. (message ~= "" and ": " .. message or ""))
  is_news(message)
  -- A proposal announces itself.
  if params["end"] == "failed" or params["end"] == "limit" then
    client_of.warn(message ~= "" and message or "the ask failed; see :Bodkin log")
  elseif params["end"] == "cancelled" then
    client_of.notify(message ~= "" and message or "cancelled")
  elseif params["end"] == "answer" then
    client_of.notify(message ~= "" and message or "the answer is in :Bodkin log")
  end
  client_of.event("BodkinEndAsk", params)
end

function M.open()
  local target = log_buffer()
  local window = vim.fn.win_findbuf(target)[1]
  if window then
    vim.api.nvim_set_current_win(window)
  else
    local from = vim.api.nvim_get_current_win()
    vim.cmd("botright 12split")
    vim.api.nvim_win_set_buf(0, target)
    vim.wo.wrap, vim.wo.number, vim.wo.relativenumber, vim.wo.signcolumn = true, false, false, "no"
    vim.keymap.set("n", "q", function()
      vim.cmd("close")
      if vim.api.nvim_win_is_valid(from) then
        vim.api.nvim_set_current_win(from)
      end
    end, { buffer = target, desc = "Close the log" })
  end
  vim.api.nvim_win_set_cursor(0, { vim.api.nvim_buf_line_count(target), 0 })
end

return M
