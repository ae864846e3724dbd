(method name: (_) @name body: (_)? @body) @function
(singleton_method name: (_) @name body: (_)? @body) @function
(class name: (_) @name body: (_)? @body) @class
(module name: (_) @name body: (_)? @body) @class
(singleton_class value: (_) @name body: (_)? @body) @class
(assignment left: (constant) @name) @constant
(call !receiver method: (identifier) @keyword arguments: (argument_list (string))
  (#any-of? @keyword "require" "require_relative" "load")) @import
(comment) @comment
