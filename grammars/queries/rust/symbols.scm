(function_item name: (_) @name body: (_) @body) @function
(function_signature_item name: (_) @name) @function
(macro_definition name: (_) @name) @macro
(struct_item name: (_) @name body: (_)? @body) @struct
(union_item name: (_) @name body: (_) @body) @union
(enum_item name: (_) @name body: (_) @body) @enum
(trait_item name: (_) @name body: (_) @body) @trait
(impl_item type: (_) @name body: (_) @body) @impl
(mod_item name: (_) @name body: (_) @body) @module
(type_item name: (_) @name) @type
(const_item name: (_) @name) @constant
(static_item name: (_) @name) @variable
(use_declaration) @import
(extern_crate_declaration) @import
(attribute_item) @attribute
[(line_comment) (block_comment)] @comment
