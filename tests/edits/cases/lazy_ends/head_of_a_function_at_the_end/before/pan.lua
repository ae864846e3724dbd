local function heat(pan)
  pan.hot = true
end

local function cool(pan)
  pan.hot = false
end
