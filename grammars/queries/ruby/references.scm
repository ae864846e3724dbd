(call method: [(identifier) (constant)] @call)
(constant) @type
