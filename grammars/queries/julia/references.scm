(call_expression . (identifier) @call)
(call_expression . (field_expression (identifier) @call .))
(macrocall_expression (macro_identifier (identifier) @call))
(typed_expression (identifier) @type .)
