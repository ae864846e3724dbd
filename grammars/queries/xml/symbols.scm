(element (STag (Name) @name)) @section
(element (EmptyElemTag (Name) @name)) @section
(Comment) @comment
