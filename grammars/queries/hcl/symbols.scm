(block (identifier) @name . (block_start) (body)? @body) @section
(block (string_lit (template_literal) @name) . (block_start) (body)? @body) @section
(object_elem key: (_) @name val: (expression (collection_value (object) @body))) @section
(comment) @comment
