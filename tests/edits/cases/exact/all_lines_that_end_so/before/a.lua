return x

local y
return x
  return x
