(function_declaration name: (_) @name body: (_) @body) @function
(generator_function_declaration name: (_) @name body: (_) @body) @function
(export_statement declaration: (function_declaration name: (_) @name body: (_) @body)) @function
(export_statement declaration: (generator_function_declaration name: (_) @name body: (_) @body)) @function
(method_definition name: (_) @name body: (_) @body) @method
(field_definition property: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @method
(pair key: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)]) @method

; const f = () => …, var f = function …: the whole statement if it declares nothing else
(variable_declarator name: (identifier) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)]) @function
(lexical_declaration . _ . (variable_declarator name: (identifier) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)]) . ";"? .) @function
(variable_declaration . _ . (variable_declarator name: (identifier) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)]) . ";"? .) @function
(export_statement declaration: (lexical_declaration . _ . (variable_declarator name: (identifier) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)]) . ";"? .)) @function

; exports.f = function …, A.prototype.f = …
(expression_statement (assignment_expression left: [(identifier) (member_expression)] @name
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)])) @function
(assignment_expression left: [(identifier) (member_expression)] @name
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)]) @function
(function_expression name: (identifier) @name body: (_) @body) @function

(class_declaration name: (_) @name body: (_) @body) @class
(class name: (_) @name body: (_) @body) @class
(export_statement declaration: (class_declaration name: (_) @name body: (_) @body)) @class
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @class
(program (lexical_declaration (variable_declarator name: (identifier) @name) @variable))
(program (export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name) @variable)))
(import_statement) @import
(decorator) @attribute
(comment) @comment
