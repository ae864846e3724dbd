local f = open(x)
if f.port == 2 then
  stop()
end
