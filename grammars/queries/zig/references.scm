(call_expression function: (identifier) @call)
(call_expression function: (field_expression member: (_) @call))
