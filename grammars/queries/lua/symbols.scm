(function_declaration name: (_) @name body: (_)? @body) @function
(assignment_statement (variable_list . name: (_) @name)
  (expression_list . value: (function_definition body: (_)? @body) .)) @function
(variable_declaration (assignment_statement (variable_list . name: (_) @name)
  (expression_list . value: (function_definition body: (_)? @body) .))) @function
(field name: (_) @name value: (function_definition body: (_)? @body)) @method
(variable_declaration (assignment_statement (variable_list . name: (_) @name)
  (expression_list . value: (function_call name: (identifier) @keyword) .)) (#eq? @keyword "require")) @import
(comment) @comment
