(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (_) @call))
(call_expression function: (scoped_identifier name: (_) @call))
(call_expression function: (generic_function function: (identifier) @call))
(call_expression function: (generic_function function: (scoped_identifier name: (_) @call)))
(call_expression function: (generic_function function: (field_expression field: (_) @call)))
(macro_invocation macro: (identifier) @call)
(type_identifier) @type
