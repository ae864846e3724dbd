(call_expression function: (identifier) @call)
(call_expression function: (member_expression property: (_) @call))
(new_expression constructor: (identifier) @type)
(new_expression constructor: (member_expression property: (_) @type))
(extends_clause value: (identifier) @type)
(type_identifier) @type
