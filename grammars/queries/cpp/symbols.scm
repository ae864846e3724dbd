; A @declarator is C's inside-out name: outline.cpp takes the name out of it, and drops the match
; where it does not declare a function.
(function_definition declarator: (_) @declarator body: (_)? @body) @function
(template_declaration (function_definition declarator: (_) @declarator body: (_)? @body)) @function
(template_declaration (template_declaration (function_definition declarator: (_) @declarator body: (_)? @body))) @function
(declaration declarator: (_) @declarator) @function
(template_declaration (declaration declarator: (_) @declarator)) @function
(field_declaration declarator: (_) @declarator) @function
(preproc_function_def name: (identifier) @name) @macro

(class_specifier name: (_) @name body: (_) @body) @class
(struct_specifier name: (_) @name body: (_) @body) @struct
(union_specifier name: (_) @name body: (_) @body) @union
(enum_specifier name: (_) @name body: (_) @body) @enum
(template_declaration (class_specifier name: (_) @name body: (_) @body)) @class
(template_declaration (struct_specifier name: (_) @name body: (_) @body)) @struct
(template_declaration (union_specifier name: (_) @name body: (_) @body)) @union
(type_definition type: (struct_specifier !name body: (_) @body) declarator: (type_identifier) @name) @struct
(type_definition type: (union_specifier !name body: (_) @body) declarator: (type_identifier) @name) @union
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (type_identifier) @name) @enum
(namespace_definition name: (_) @name body: (_) @body) @module
(concept_definition name: (_) @name) @type
(alias_declaration name: (_) @name) @type
(preproc_include) @import
(using_declaration) @import
(comment) @comment
