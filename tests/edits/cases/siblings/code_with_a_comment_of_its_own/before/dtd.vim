func next(line)
  " Check for an element's name.
  let [name, end] = s:lex(a:line)
  if name == ""
    return 1
  endif
  if name == "%"
    let [name, end] = s:lex(a:line)
    if name == ""
      return 1
    endif
  endif
endfunc
