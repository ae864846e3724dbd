local f = open(x)
if f.port == 1 then
  stop()
end
