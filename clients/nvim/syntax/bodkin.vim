" bodkin's log: Markdown with edit blocks.
if exists('b:current_syntax')
  finish
endif
runtime! syntax/markdown.vim
unlet! b:current_syntax
syntax region bodkinOld matchgroup=BodkinHint start=/^<\{5,9} SEARCH.*$/ end=/^=\{5,9}$/me=s-1 contains=NONE keepend
syntax region bodkinNew matchgroup=BodkinHint start=/^=\{5,9}$/ end=/^>\{5,9} REPLACE.*$/ contains=NONE keepend
syntax match bodkinThought /^>.*$/
syntax match bodkinFailed /^- ✗.*$/
highlight default link bodkinOld BodkinDelete
highlight default link bodkinNew BodkinAdd
highlight default link bodkinThought BodkinHint
highlight default link bodkinFailed BodkinBad
let b:current_syntax = 'bodkin'
