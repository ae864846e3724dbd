func next(line)
  let [name, end] = s:lex(a:line)
  if name == ""
    return 2
  endif
endfunc
