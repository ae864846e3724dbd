(atx_heading (inline) @markup.heading)
(fenced_code_block_delimiter) @comment
(info_string) @comment
[
  (list_marker_plus)
  (list_marker_minus)
  (list_marker_star)
  (list_marker_dot)
  (list_marker_parenthesis)
] @markup.list
