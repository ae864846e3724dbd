; A @declarator is C's inside-out name: outline.cpp takes the name out of it, and drops the match
; where it does not declare a function.
(function_definition declarator: (_) @declarator body: (_) @body) @function
(declaration declarator: (_) @declarator) @function
(preproc_function_def name: (identifier) @name) @macro
(struct_specifier name: (_) @name body: (_) @body) @struct
(union_specifier name: (_) @name body: (_) @body) @union
(enum_specifier name: (_) @name body: (_) @body) @enum
(type_definition type: (struct_specifier !name body: (_) @body) declarator: (type_identifier) @name) @struct
(type_definition type: (union_specifier !name body: (_) @body) declarator: (type_identifier) @name) @union
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (type_identifier) @name) @enum
(preproc_include) @import
(comment) @comment
