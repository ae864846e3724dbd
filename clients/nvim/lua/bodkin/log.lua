-- What was asked, said and done, in one buffer (transcript.lua): a block for each ask, in Markdown, which only its own ask
-- writes to. window.lua shows it.
local M = {}

local client_of = require("bodkin.client")
local status = require("bodkin.status")

local transcript = require("bodkin.transcript")

local loop = vim.uv or vim.loop

-- {id, client, rows, streaming, said, begun, tokens, running}: in the order of the buffer. `id`: nil until the server has given
-- it, false for what belongs to no ask. `rows`: lines of the buffer.
local blocks = {}

M.buffer = transcript.buffer

local function first_row(block)
  local row = 0
  for _, each in ipairs(blocks) do
    if each == block then
      return row
    end
    row = row + each.rows
  end
end

-- The last row of a block, from 0.
local function last_row(block)
  local row = -1
  for _, each in ipairs(blocks) do
    row = row + each.rows
    if each == block then
      return row
    end
  end
end

local function append(block, text)
  local row = last_row(block)
  block.rows = block.rows + select(2, text:gsub("\n", ""))
  transcript.append(row, text)
end

local function add_block(id, lines, client_id)
  local block = { id = id, client = client_id, rows = 0, begun = loop.now(), tokens = status.tokens(client_id) }
  lines = #blocks == 0 and lines or vim.list_extend({ "" }, lines)
  block.rows = #lines
  table.insert(blocks, block)
  transcript.add(lines)
  return block
end

local function block_of(id, client_id)
  local unnamed
  for _, block in ipairs(blocks) do
    if block.id == id then
      return block
    end
    unnamed = unnamed or (block.id == nil and (client_id == nil or block.client == client_id) and block)
  end
  if unnamed then -- its words came before the answer that names it
    unnamed.id = id
    return unnamed
  end
  local block = add_block(id, { "## " .. os.date("%H:%M") .. " bodkin" }, client_id)
  block.running = true
  return block
end

-- Adds lines of their own to a block, after an empty one if they are of another kind than those before.
local function add_lines(block, lines, kind)
  local row = last_row(block)
  local before, last = unpack(transcript.lines(math.max(row - 1, 0), row + 1))
  last = last or before
  local begin = last == "" and "" or "\n"
  if block.last ~= kind and not (last == "" and before == "") then
    begin = begin .. "\n"
  end
  block.last, block.streaming = kind, nil
  append(block, begin .. table.concat(lines, "\n"))
end

--- An ask is being sent. `title`: what is asked; `place`: "a.py, lines 1–3". Returns its block, to be given to named().
function M.begin(title, place, client_id)
  local head = client_of.plain(title):match("^[^\n]*")
  local block = add_block(nil, { ("## %s %s"):format(os.date("%H:%M"), head) }, client_id)
  local rest = client_of.plain(title):sub(#head + 2)
  if rest ~= "" then
    append(block, "\n" .. rest)
  end
  local known = status.get(client_id)
  local about = {}
  for _, each in ipairs({ place or "", known.model or "", known.host or "" }) do
    if each ~= "" then
      table.insert(about, each)
    end
  end
  block.names_model = (known.model or "") ~= ""
  append(block, #about > 0 and "\n*" .. table.concat(about, " · ") .. "*" or "")
  block.running = true
  return block
end

--- The server has taken the ask (`id`), or refused it (nil).
function M.named(block, id)
  if id then
    block.id = block.id or id
  else
    block.id, block.running = block.id or false, false
  end
end

--- A client's server is gone, and with it every ask that ran there.
function M.stopped(client_id)
  for _, block in ipairs(blocks) do
    if block.running and block.client == client_id then
      block.id, block.running = block.id or false, false
      add_lines(block, { "*Broken off: the server is gone*" }, "end")
    end
  end
end

--- Whether an ask of this Neovim runs.
function M.running()
  for _, block in ipairs(blocks) do
    if block.running then
      return true
    end
  end
  return false
end

-- Where a message belongs that names no ask: the only one that runs, else a block of its own.
local function block_for(id)
  if id then
    return block_of(id)
  end
  local running, count = nil, 0
  for _, block in ipairs(blocks) do
    if block.running then
      running, count = block, count + 1
    end
  end
  if count == 1 then
    return running
  end
  local last = blocks[#blocks]
  if last and last.id == false then
    return last
  end
  return add_block(false, { "## " .. os.date("%H:%M") .. " bodkin" })
end

--- A line of its own, as an item of a list; of an ask, if it belongs to one.
function M.line(text, ask_id)
  add_lines(block_for(ask_id), { "- " .. vim.trim(text):gsub("\n", "\n  ") }, "list")
end

local told = {} -- when a message was logged or shown, by its text

-- The same message may arrive in several ways; log it once.
local function is_news(text)
  local now = loop.now()
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

--- What this message says is in the log already.
function M.knows(text)
  told[text] = loop.now()
end

--- Logs a message from the server or the client.
function M.message(text)
  text = text:gsub("^bodkin: ", ""):gsub(" %(%d+ more in the log%)$", "")
  if is_news(text) then
    M.line(text)
  end
end

local output_mark = "  │ " -- before each line of what a command has printed, and of a reply

--- A chat's reply that is taken, in a block of its own, in which what becomes of it follows.
function M.reply(title, text)
  local block = add_block(false, { ("## %s %s"):format(os.date("%H:%M"), title) })
  append(block, "\n" .. output_mark .. client_of.plain(vim.trim(text)):gsub("\n", "\n" .. output_mark))
end

function M.stream(params, client_id)
  status.sign(client_id)
  local block = block_of(params.askId, client_id)
  local text = client_of.plain(params.text or "")
  if type(params.step) == "table" then
    local step = params.step
    add_lines(block, { (step.failed and "- ✗ " or "- ") .. text:gsub("\n", "\n  ") }, "list")
    local output = vim.trim(step.command and step.command.output or "")
    if output ~= "" then
      append(block, "\n" .. output_mark .. client_of.plain(output):gsub("\n", "\n" .. output_mark))
    end
  elseif params.kind == "text" or params.kind == "thought" then
    local is_thought = params.kind == "thought"
    if block.streaming ~= params.kind then
      add_lines(block, { is_thought and "> " or "" }, params.kind)
      block.streaming = params.kind
      if not is_thought then
        block.parts = block.parts or {}
        table.insert(block.parts, block.said)
        block.said = ""
        block.said_row = last_row(block) - first_row(block)
      end
    end
    block.said = not is_thought and block.said .. text or block.said
    append(block, is_thought and text:gsub("\n", "\n> ") or text)
  elseif params.kind == "tool"
    and (text:find("^Editing ") or not block.last and (text == "Indexing" or block.names_model and text:find("^Asking "))) then
    block.doing = text -- the step says it, or the head does; and the window, what is waited for
  elseif params.kind == "tool" and text ~= block.doing and (block.streaming ~= "text" or text:find("%(turn %d+%)$")) then
    -- In the midst of words it is not said, but that they go on in another turn.
    block.doing = text -- the same is said again and again while it lasts
    add_lines(block, { "- " .. text }, "list")
  end
end

local endings = {
  proposal = "Proposed",
  answer = "Answered",
  failed = "Failed",
  limit = "A limit was met",
  refused = "Refused",
  cancelled = "Cancelled",
}

--- The ask has ended: what it took, and what was said with it.
function M.end_ask(params, client_id)
  local message = client_of.plain(params.message or "")
  local block = block_of(params.askId, client_id)
  local ending = params["end"] == "answer" and params.overtaken and "Left out" or endings[params["end"]] or params["end"]
  if message ~= "" and message ~= ending .. "." and vim.trim(block.said or "") ~= vim.trim(message) then
    add_lines(block, { message }, "text")
  end
  block.running = false
  is_news(message)
  local used = status.tokens(block.client) - block.tokens
  add_lines(block, { ("*%s after %s%s*"):format(ending,
    status.duration(loop.now() - block.begun), used > 0 and (", %s tokens"):format(status.count(used)) or "") }, "end")
end

--- What was said in a session of before, from its Markdown.
function M.read(title, text)
  local block = add_block(false, { ("## Session “%s”"):format(client_of.plain(title)) })
  append(block, "\n" .. vim.trim(client_of.plain(text)):gsub("\n# ", "\n### "):gsub("\n## ", "\n### "))
end

--- What the model said in an ask, before and after its edits, and nothing twice; nil: it is not known.
function M.words_of(id)
  for _, block in ipairs(blocks) do
    if block.id == id and not block.said then
      return "The ask has not ended yet: :Bodkin log has its words."
    elseif block.id == id then
      local words, known = {}, {}
      for _, part in ipairs(vim.list_extend(vim.list_extend({}, block.parts or {}), { block.said })) do
        part = vim.trim(part)
        if part ~= "" and not known[part] then
          known[part] = true
          table.insert(words, part)
        end
      end
      return #words > 0 and table.concat(words, "\n\n") or "The model gave its edits without words."
    end
  end
end

--- The row (from 0) at which the last words of an ask begin, or nil.
function M.said_row(id)
  for _, block in ipairs(blocks) do
    if block.id == id and block.said_row then
      return first_row(block) + block.said_row
    end
  end
end

--- The first and the last line of the ask that is at this line (from 1), and the id of its client; or nil.
function M.block_at(line)
  local first = 1
  for _, block in ipairs(blocks) do
    if line < first + block.rows then
      return first, first + block.rows - 1, block.client
    end
    first = first + block.rows
  end
end

return M
