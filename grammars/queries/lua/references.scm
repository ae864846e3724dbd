(function_call name: (identifier) @call)
(function_call name: (dot_index_expression field: (_) @call))
(function_call name: (method_index_expression method: (_) @call))
