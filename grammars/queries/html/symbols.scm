(element (start_tag (tag_name) @name)) @section
(script_element (start_tag (tag_name) @name) (raw_text)? @body) @section
(style_element (start_tag (tag_name) @name) (raw_text)? @body) @section
(comment) @comment
(script_element (raw_text) @injection.javascript)
(style_element (raw_text) @injection.css)
