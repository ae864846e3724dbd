(rule_set (selectors) @name (block) @body) @section
(media_statement . (_) @name (block) @body) @section
(supports_statement . (_) @name (block) @body) @section
(keyframes_statement (keyframes_name) @name (keyframe_block_list) @body) @section
(keyframe_block . (_) @name (block) @body) @section
(at_rule (at_keyword) @name (block) @body) @section
(import_statement) @import
[(comment) (js_comment)] @comment
