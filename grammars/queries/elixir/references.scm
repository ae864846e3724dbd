(call target: (identifier) @call)
(call target: (dot right: (identifier) @call))
(binary_operator operator: "|>" right: (identifier) @call)
(alias) @type
