(function_declaration name: (identifier) @name body: (_)? @body) @function
(test_declaration [(string) (identifier)] @name (block) @body) @function
(variable_declaration . (identifier) @name (struct_declaration) @body) @struct
(variable_declaration . (identifier) @name (union_declaration) @body) @union
(variable_declaration . (identifier) @name (enum_declaration) @body) @enum
(variable_declaration . (identifier) @name (opaque_declaration) @body) @struct
(variable_declaration . (identifier) @name (error_set_declaration) @body) @enum
(source_file (variable_declaration . (identifier) @name) @variable)
(variable_declaration . (identifier) (builtin_function (builtin_identifier) @keyword)
  (#eq? @keyword "@import")) @import
(comment) @comment
