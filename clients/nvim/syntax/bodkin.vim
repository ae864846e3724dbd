" bodkin's log: Markdown with edit blocks.
if exists('b:current_syntax')
  finish
endif
" What is hidden must be markup: Vim's rules also hide the signs of `__init__`, `int* p` and `2 ** 3`.
let s:conceal = get(g:, 'markdown_syntax_conceal', v:null)
let g:markdown_syntax_conceal = 0
runtime! syntax/markdown.vim
if s:conceal is v:null
  unlet g:markdown_syntax_conceal
else
  let g:markdown_syntax_conceal = s:conceal
endif
unlet! b:current_syntax
syntax clear markdownItalic markdownBold markdownBoldItalic markdownError
syntax region markdownBold matchgroup=markdownBoldDelimiter oneline concealends contains=markdownCode,@Spell
      \ start=/\%(^\|[[:space:]("“]\)\@1<=\*\*[^*[:space:]]\@=/ end=/[^*[:space:]]\@1<=\*\*[*[:alnum:]]\@!/
syntax region markdownItalic matchgroup=markdownItalicDelimiter oneline concealends contains=markdownCode,@Spell
      \ start=/^\*[^*[:space:]]\@=\%([^*]*\*$\)\@=/ end=/\*$/
syntax region bodkinOld matchgroup=BodkinHint start=/^<\{5,9} SEARCH.*$/ end=/^=\{5,9}$/me=s-1 contains=NONE keepend
syntax region bodkinNew matchgroup=BodkinHint start=/^=\{5,9}$/ end=/^>\{5,9} REPLACE.*$/ contains=NONE keepend
syntax match bodkinThought /^>.*$/
syntax match bodkinFailed /^- ✗.*$/
highlight default link bodkinOld BodkinDelete
highlight default link bodkinNew BodkinAdd
highlight default link bodkinThought BodkinHint
highlight default link bodkinFailed BodkinBad
let b:current_syntax = 'bodkin'
