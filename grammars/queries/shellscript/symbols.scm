(function_definition name: (word) @name body: (_) @body) @function
(program (variable_assignment name: (variable_name) @name) @variable)
(command name: (command_name (word) @keyword) (#any-of? @keyword "source" ".")) @import
(comment) @comment
