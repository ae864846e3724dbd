(function_definition name: (_) @name body: (_) @body) @function
(function_declaration name: (_) @name) @function
(class_definition name: (_) @name body: (_)? @body) @class
(object_definition name: (_) @name body: (_)? @body) @class
(package_object name: (_) @name body: (_)? @body) @class
(trait_definition name: (_) @name body: (_)? @body) @trait
(enum_definition name: (_) @name body: (_) @body) @enum
(type_definition name: (_) @name) @type
(template_body (val_definition pattern: (identifier) @name) @variable)
(template_body (var_definition pattern: (identifier) @name) @variable)
(package_clause name: (_) !body) @import
(package_clause name: (_) @name body: (_) @body) @module
(import_declaration) @import
[(comment) (block_comment)] @comment
