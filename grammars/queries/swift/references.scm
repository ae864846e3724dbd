(call_expression . (simple_identifier) @call)
(call_expression . (navigation_expression suffix: (navigation_suffix suffix: (_) @call)))
(user_type (type_identifier) @type)
