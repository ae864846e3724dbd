def f(a, b)
    when a > b do
  a
end
