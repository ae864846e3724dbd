(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (_) @call))
(call_expression function: (generic_function function: (identifier) @call))
(type_identifier) @type
