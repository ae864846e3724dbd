(block_mapping_pair key: (_) @name value: (block_node [(block_mapping) (block_sequence)])) @section
(comment) @comment
