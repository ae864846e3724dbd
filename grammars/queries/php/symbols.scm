(function_definition name: (_) @name body: (_) @body) @function
(method_declaration name: (_) @name body: (_)? @body) @method
(class_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(trait_declaration name: (_) @name body: (_) @body) @trait
(enum_declaration name: (_) @name body: (_) @body) @enum
(namespace_definition name: (_) @name body: (_) @body) @module
(namespace_definition name: (_) !body) @import
(property_declaration (property_element name: (_) @name)) @variable
(const_declaration (const_element . (_) @name)) @constant
(namespace_use_declaration) @import
(comment) @comment
