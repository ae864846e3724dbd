(pair key: (string (string_content) @name) value: [(object) (array)] @body) @section
(comment) @comment
