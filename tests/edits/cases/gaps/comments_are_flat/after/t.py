import tree

# (Tree) {
#   language = ...
#   root = ...
#     [24] = {
#       ...
#     }


class Tree:
    pass
