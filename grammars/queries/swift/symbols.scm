(function_declaration "func" . _ @name body: (_) @body) @function
(protocol_function_declaration "func" . _ @name) @method
(init_declaration name: "init" @name body: (_)? @body) @method
(deinit_declaration "deinit" @name body: (_) @body) @method
(subscript_declaration "subscript" @name) @method
(property_declaration name: (pattern (simple_identifier) @name) computed_value: (_) @body) @method
(class_body (property_declaration name: (pattern (simple_identifier) @name)) @variable)
(class_declaration declaration_kind: "class" name: (_) @name body: (_) @body) @class
(class_declaration declaration_kind: "actor" name: (_) @name body: (_) @body) @class
(class_declaration declaration_kind: "struct" name: (_) @name body: (_) @body) @struct
(class_declaration declaration_kind: "enum" name: (_) @name body: (_) @body) @enum
(class_declaration declaration_kind: "extension" name: (_) @name body: (_) @body) @impl
(protocol_declaration name: (_) @name body: (_) @body) @interface
(typealias_declaration name: (_) @name) @type
(import_declaration) @import
[(comment) (multiline_comment)] @comment
