(function_definition (signature [
  (identifier) @name
  (call_expression . (_) @name)
  (typed_expression . (call_expression . (_) @name))
  (where_expression . (call_expression . (_) @name))
  (where_expression . (typed_expression . (call_expression . (_) @name)))])) @function
(assignment . [
  (call_expression . (_) @name)
  (typed_expression . (call_expression . (_) @name))
  (where_expression . (call_expression . (_) @name))
  (where_expression . (typed_expression . (call_expression . (_) @name)))]) @function
(macro_definition (signature (call_expression . (_) @name))) @macro
(struct_definition (type_head [
  (identifier) @name
  (parametrized_type_expression . (_) @name)
  (binary_expression . [(identifier) @name (parametrized_type_expression . (_) @name)])])) @struct
(abstract_definition (type_head [
  (identifier) @name
  (parametrized_type_expression . (_) @name)
  (binary_expression . [(identifier) @name (parametrized_type_expression . (_) @name)])])) @type
(module_definition name: (_) @name) @module
[(import_statement) (using_statement)] @import
[(line_comment) (block_comment)] @comment
; What is written directly above a declaration documents it.
(source_file (string_literal) @comment)
(module_definition (string_literal) @comment)
