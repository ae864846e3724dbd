(method_declaration name: (_) @name body: (_)? @body) @method
(constructor_declaration name: (_) @name body: (_)? @body) @method
(destructor_declaration name: (_) @name body: (_)? @body) @method
(operator_declaration operator: _ @name body: (_)? @body) @method
(conversion_operator_declaration type: (_) @name body: (_)? @body) @method
(indexer_declaration "this" @name) @method
(property_declaration name: (_) @name accessors: (_) @body) @method
(property_declaration name: (_) @name value: (arrow_expression_clause) @body) @method
(event_declaration name: (_) @name accessors: (_) @body) @method
(local_function_statement name: (_) @name body: (_)? @body) @function
(class_declaration name: (_) @name body: (_)? @body) @class
(record_declaration name: (_) @name body: (_)? @body) @class
(struct_declaration name: (_) @name body: (_)? @body) @struct
(interface_declaration name: (_) @name body: (_)? @body) @interface
(enum_declaration name: (_) @name body: (_)? @body) @enum
(namespace_declaration name: (_) @name body: (_) @body) @module
(delegate_declaration name: (_) @name) @type
(field_declaration (variable_declaration (variable_declarator name: (_) @name))) @variable
(using_directive) @import
(file_scoped_namespace_declaration name: (_)) @import
(comment) @comment
