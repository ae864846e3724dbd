(function_definition name: (identifier) @name body: (_) @body) @function
(class_definition name: (identifier) @name body: (_) @body) @class
(decorated_definition definition: (function_definition name: (identifier) @name body: (_) @body)) @function
(decorated_definition definition: (class_definition name: (identifier) @name body: (_) @body)) @class
(module (expression_statement (assignment left: (identifier) @name) @variable))
(import_statement) @import
(import_from_statement) @import
(future_import_statement) @import
(comment) @comment
