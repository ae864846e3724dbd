(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (field_identifier) @call))
(call_expression function: (field_expression field: (template_method name: (_) @call)))
(call_expression function: (template_function name: (identifier) @call))
(qualified_identifier name: (identifier) @call)
(qualified_identifier name: (template_function name: (identifier) @call))
(type_identifier) @type
