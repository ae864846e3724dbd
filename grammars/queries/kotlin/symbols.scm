(function_declaration name: (_) @name (function_body)? @body) @function
(secondary_constructor "constructor" @name) @method
(anonymous_initializer "init" @name) @method
(class_declaration "interface" name: (_) @name (class_body)? @body) @interface
(class_declaration name: (_) @name [(class_body) (enum_class_body)]? @body) @class
(object_declaration name: (_) @name (class_body)? @body) @class
(companion_object "companion" @name (class_body) @body) @class
(property_declaration (variable_declaration (identifier) @name)) @variable
(type_alias type: (_) @name) @type
(package_header) @import
(import) @import
[(line_comment) (block_comment)] @comment
