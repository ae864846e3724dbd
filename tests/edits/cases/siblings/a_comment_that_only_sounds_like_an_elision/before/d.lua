--- Disable diagnostics in the given buffer.
---
---@param bufnr number|nil Buffer number, or 0 for current buffer. When
---                        omitted, disable diagnostics in all buffers.
function M.disable(bufnr)
end
