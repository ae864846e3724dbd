import tree

# (Tree) {
#   language = ...
#   root = ...
#     [0] = {
#       ...
#     }


class Tree:
    pass
