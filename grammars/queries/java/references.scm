(method_invocation name: (_) @call)
(object_creation_expression type: (type_identifier) @type)
(type_identifier) @type
