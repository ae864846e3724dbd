(function_declaration name: (identifier) @name body: (_)? @body) @function
(method_declaration name: (field_identifier) @name body: (_)? @body) @method
(method_elem name: (field_identifier) @name) @method
(type_declaration . "type" . (type_spec name: (type_identifier) @name type: (struct_type (_) @body)) .) @struct
(type_declaration . "type" . (type_spec name: (type_identifier) @name type: (interface_type) @body) .) @interface
(type_spec name: (type_identifier) @name type: (struct_type (_) @body)) @struct
(type_spec name: (type_identifier) @name type: (interface_type) @body) @interface
(type_spec name: (type_identifier) @name) @type
(type_alias name: (type_identifier) @name) @type
(source_file (const_declaration (const_spec name: (identifier) @name) @constant))
(source_file (var_declaration (var_spec name: (identifier) @name) @variable))
(import_declaration) @import
(package_clause) @import
(comment) @comment
