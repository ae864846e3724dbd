local f = open(x)
if f.host == 1 then
  stop()
end
