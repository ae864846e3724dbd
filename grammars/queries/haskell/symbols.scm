; outline.cpp joins the equations of a function.
(function name: (_) @name match: (_) @body) @function
(function (infix operator: (_) @name) match: (_) @body) @function
(bind name: (_) @name match: (_) @body) @function
(class_declarations (signature name: (_) @name) @method)
(declarations (signature) @attribute)
(local_binds (signature) @attribute)
(data_type name: (_) @name) @struct
(newtype name: (_) @name) @struct
(class name: (_) @name declarations: (_)? @body) @trait
(instance name: (_) @name declarations: (_)? @body) @impl
(type_synomym name: (_) @name) @type
(type_family name: (_) @name) @type
(header) @import
(import) @import
[(comment) (haddock)] @comment
