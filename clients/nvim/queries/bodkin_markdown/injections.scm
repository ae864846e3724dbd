; Code in fences, in its own language. What is inline is syntax/bodkin.vim's, which hides no sign that is meant.
(fenced_code_block
  (info_string (language) @injection.language)
  (code_fence_content) @injection.content)
