func next(line)
  let [name, end] = s:lex(a:line)
  if name == ""
    return 1
  endif
endfunc
