-- The proposed text, edited before it is taken: writing it makes a proposal of its own, which is checked and placed as any
-- other and takes the old one's place.
local M = {}

local client_of = require("bodkin.client")
local extensions = require("bodkin.extensions")
local files = require("bodkin.files")

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

local function send(proposal, view, client)
  local reply, left = {}, #proposal.files
  local root = client.config.root_dir .. "/"
  local function finish()
    local text = table.concat(reply, "")
    if text == "" then
      return client_of.notify("the text is now as in the file; nothing is proposed")
    end
    client_of.request(client, "workspace/executeCommand", { command = "bodkin.applyReply",
      arguments = { { text = text, textDocument = { uri = view.uri } } } }, function(result)
        if not result then
          return
        end
        vim.bo[view.preview].modified = false
        view.is_edited = nil
        require("bodkin.diff").close(proposal)
        require("bodkin.proposals").discard(proposal)
        local fresh = require("bodkin.proposals").by_id(result.proposalId)
        if fresh then
          require("bodkin.diff").open(fresh, view.uri)
        end
      end)
  end
  for position, file in ipairs(proposal.files) do
    client_of.request(client, extensions.proposal_content, { proposalId = proposal.id, uri = file.uri }, function(content)
      local path = vim.uri_to_fname(file.uri)
      local name = vim.startswith(path, root) and path:sub(#root + 1) or path
      local old = file.kind == "create" and "" or text_of(files.view(file.uri))
      local new = file.uri == view.uri and text_of(view.preview) or (content and content.text or old):gsub("\r\n", "\n")
      reply[position] = diff_of(name, file.kind, old, file.kind == "delete" and "" or new)
      left = left - 1
      if left == 0 then
        finish()
      end
    end)
  end
end

--- Makes the proposed text of a preview editable.
function M.begin(proposal, view)
  for _, file in ipairs(proposal.files) do
    if file.kind == "rename" then
      return client_of.notify("a proposal that renames a file cannot be edited; take it, then edit the file")
    end
  end
  view.is_edited = true
  local buffer = view.preview
  vim.bo[buffer].buftype = "acwrite"
  vim.bo[buffer].modifiable = true
  for _, map in ipairs(vim.api.nvim_buf_get_keymap(buffer, "n")) do
    if map.lhs ~= "do" and map.lhs ~= "dp" then
      pcall(vim.keymap.del, "n", map.lhs, { buffer = buffer })
    end
  end
  vim.api.nvim_create_autocmd("BufWriteCmd", { buffer = buffer, callback = function()
    local client = client_of.of_proposal(proposal)
    if client then
      send(proposal, view, client)
    end
  end })
  client_of.notify("edit it; :write makes a proposal of it, :q! drops it")
end

return M
