-- What both previews have in common, side by side (diff.lua) and as one diff (unified.lua): a tab for a proposal, its keys,
-- and what becomes of it when the proposal changes. `views`: proposal -> view; a view has at least {tab, from, preview}:
-- `preview` the buffer with the proposed text, `from` the window of before.
local M = {}

local review = require("bodkin.review")

local function proposals()
  return require("bodkin.proposals")
end

--- A tab of its own, with what the current window shows. Returns the window of before.
function M.enter()
  local from = vim.api.nvim_get_current_win()
  if vim.api.nvim_win_get_config(from).relative ~= "" then
    vim.cmd("wincmd p")
  end
  vim.cmd("tab split")
  return from
end

--- Back to the window of before.
function M.leave(view)
  if view.from and vim.api.nvim_win_is_valid(view.from) then
    vim.api.nvim_set_current_win(view.from)
  end
end

--- The proposal whose preview is the current tab, and its view.
function M.here(views)
  local tab = vim.api.nvim_get_current_tabpage()
  for proposal, view in pairs(views) do
    if view.tab == tab then
      return proposal, view
    end
  end
end

--- After a state change: show(view) what is left, or close(proposal).
function M.refresh(views, proposal, show, close)
  local view = views[proposal]
  if not view then
    return
  elseif vim.fn.getcmdwintype() ~= "" then
    return require("bodkin.ui").when_calm(function()
      M.refresh(views, proposal, show, close) -- as it is by then
    end)
  end
  if not vim.api.nvim_tabpage_is_valid(view.tab) or not vim.api.nvim_buf_is_valid(view.preview) then
    views[proposal] = nil
  elseif proposal.state == "applying" or view.is_edited then
    return
  elseif not proposals().is_open(proposal) then
    close(proposal)
  else
    show(view)
  end
end

--- Whether a view is still that of its proposal, after a request.
function M.is_shown(views, proposal, view)
  return views[proposal] == view and vim.api.nvim_buf_is_valid(view.preview)
end

--- The keys of both, before `own` ones.
function M.keys(proposal, own)
  return vim.list_extend({
    { "a", function()
      review.accept("hunk")
    end, "accept the change here" },
    { "r", function()
      review.reject("hunk")
    end, "reject the change here" },
    { "F", function()
      review.accept("file")
    end, "accept all changes of this file" },
    { "A", function()
      if not require("bodkin.unseen").is_unseen(proposal) then
        proposals().apply(proposal)
      end
    end, "apply the whole proposal" },
    { "x", function()
      if not require("bodkin.unseen").is_unseen(proposal) then
        proposals().discard(proposal)
      end
    end, "discard the proposal" },
    { "]h", function()
      review.go(1)
    end, "next change" },
    { "[h", function()
      review.go(-1)
    end, "previous change" },
    { "w", function()
      require("bodkin.why").show(proposal)
    end, "why: what the model said" },
  }, own)
end

return M
