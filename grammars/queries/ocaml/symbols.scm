(let_binding pattern: [(value_name) (parenthesized_operator)] @name (parameter) body: (_) @body) @function
(let_binding pattern: (value_name) @name body: [(fun_expression) (function_expression)] @body) @function
(value_definition . (let_binding pattern: [(value_name) (parenthesized_operator)] @name (parameter) body: (_) @body) .) @function
(value_definition . (let_binding pattern: (value_name) @name body: [(fun_expression) (function_expression)] @body) .) @function
(external [(value_name) (parenthesized_operator)] @name) @function
(value_specification [(value_name) (parenthesized_operator)] @name) @function
(method_definition (method_name) @name body: (_)? @body) @method
(module_definition (module_binding (module_name) @name body: (_)? @body)) @module
(module_type_definition (module_type_name) @name body: (_)? @body) @interface
(class_definition (class_binding (class_name) @name body: (_)? @body)) @class
(type_definition . (type_binding name: (_) @name) .) @type
(type_binding name: (_) @name) @type
(exception_definition (constructor_declaration (constructor_name) @name)) @type
[(open_module) (include_module)] @import
(comment) @comment
