-- The proposed text, edited before it is taken: writing it makes a proposal of its own, which is checked and placed as any
-- other and takes the old one's place.
local M = {}

local client_of = require("bodkin.client")
local contents = require("bodkin.contents")
local files = require("bodkin.files")
local paths = require("bodkin.paths")

local line_diff = vim.text and vim.text.diff or vim.diff

-- A diff with the whole file around its changes: it fits at one place only.
local function diff_of(name, kind, old, new)
  local body = line_diff(old, new, { ctxlen = 1000000 })
  if body == "" then
    return ""
  end
  return ("--- %s\n+++ %s\n%s"):format(kind == "create" and "/dev/null" or "a/" .. name, kind == "delete" and "/dev/null" or "b/" .. name,
    body)
end

local function text_of(buffer)
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n") .. "\n"
end

local function offer(proposal, view, client, text)
  local tick = vim.api.nvim_buf_get_changedtick(view.preview)
  client_of.request(client, "workspace/executeCommand", { command = "bodkin.applyReply",
    arguments = { { text = text, textDocument = { uri = view.uri } } } }, function(result)
      if not result then
        return
      end
      local fresh = require("bodkin.proposals").by_id(result.proposalId)
      if vim.api.nvim_buf_is_valid(view.preview) and vim.api.nvim_buf_get_changedtick(view.preview) ~= tick then
        if fresh then
          require("bodkin.proposals").discard(fresh)
        end
        return client_of.notify("the text was edited meanwhile; :write again proposes it", nil, true)
      end
      if vim.api.nvim_buf_is_valid(view.preview) then
        vim.bo[view.preview].modified = false
      end
      view.is_edited = nil
      require("bodkin.diff").close(proposal)
      require("bodkin.proposals").discard(proposal)
      if fresh then
        -- It is what the person made of the model's: that has its title and its words.
        fresh.title, fresh.ask_id, fresh.has_words = proposal.title, proposal.ask_id, proposal.has_words
        require("bodkin.diff").open(fresh, view.uri)
      end
    end)
end

local function send(proposal, view)
  contents.of_all(proposal, function(found, client)
    local reply = {}
    local root = client.config.root_dir
    for position, file in ipairs(proposal.files) do
      local path = vim.uri_to_fname(file.uri)
      local name = not root and vim.fn.fnamemodify(path, ":t") or paths.below(path, root) or paths.slashed(path)
      local old = file.kind == "create" and "" or text_of(files.view(file.uri))
      local is_edited = file.uri == view.uri
      if not is_edited and not found[position] then
        return client_of.warn("the server no longer has the contents of this proposal")
      end
      local new = is_edited and text_of(view.preview) or (found[position].text or old):gsub("\r\n", "\n")
      reply[position] = diff_of(name, file.kind, old, file.kind == "delete" and "" or new)
    end
    local text = table.concat(reply, "")
    if text == "" then
      return client_of.notify("the text is now as in the file; nothing is proposed")
    end
    offer(proposal, view, client, text)
  end)
end

--- Makes the proposed text of a preview editable.
function M.begin(proposal, view)
  for _, file in ipairs(proposal.files) do
    if file.kind == "rename" then
      return client_of.notify("a proposal that renames a file cannot be edited; accept it, then edit the file")
    end
  end
  view.is_edited = true
  local buffer = view.preview
  vim.bo[buffer].buftype = "acwrite"
  vim.bo[buffer].modifiable = true
  for _, map in ipairs(vim.api.nvim_buf_get_keymap(buffer, "n")) do
    pcall(vim.keymap.del, "n", map.lhs, { buffer = buffer })
  end
  vim.keymap.set("n", "dp", function() -- Vim's would put it into the file, unchecked
    client_of.notify(":write makes a proposal of this text; a accepts its changes then")
  end, { buffer = buffer, nowait = true, silent = true })
  vim.keymap.set("n", "q", function() -- it closes every preview, and would record a macro
    if vim.bo[buffer].modified then
      return client_of.notify("the text was edited; :write proposes it, :q! drops it")
    end
    vim.cmd("quit")
  end, { buffer = buffer, nowait = true, silent = true, desc = "bodkin: close" })
  vim.keymap.set("n", "g?", function()
    require("bodkin.float").help({ { ":write", nil, "make a proposal of this text" }, { ":quit!", nil, "drop what was edited" },
      { "q", nil, "close it, if nothing was edited" },
      { "do", nil, "leave a change out, as in any diff" } })
  end, { buffer = buffer, nowait = true, silent = true, desc = "bodkin: these keys" })
  for _, window in ipairs(vim.fn.win_findbuf(buffer)) do
    vim.wo[window].statusline = " edited: :write proposes it  :q! drops it  g? keys"
  end
  vim.api.nvim_create_autocmd("BufWriteCmd", { buffer = buffer, callback = function()
    send(proposal, view)
  end })
  client_of.notify("edit it; :write makes a proposal of it, :q! drops it")
end

return M
