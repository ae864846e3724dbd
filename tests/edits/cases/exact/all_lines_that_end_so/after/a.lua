return z

local y
return z
  return z
