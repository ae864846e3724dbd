(call target: (identifier) @keyword (arguments . (_) @name) (do_block) @body
  (#any-of? @keyword "defmodule" "defprotocol" "defimpl")) @class
(call target: (identifier) @keyword
  (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")])
  (do_block)? @body
  (#any-of? @keyword "def" "defp" "defdelegate" "defguard" "defguardp" "defn" "defnp")) @function
(call target: (identifier) @keyword
  (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: (call target: (identifier) @name) operator: "when")])
  (do_block)? @body
  (#any-of? @keyword "defmacro" "defmacrop")) @macro
(call target: (identifier) @keyword (arguments . (string) @name) (do_block) @body
  (#any-of? @keyword "test" "describe")) @function
(unary_operator operator: "@" operand: (call target: (identifier) @keyword)
  (#any-of? @keyword "doc" "spec" "impl" "typedoc" "deprecated" "since" "tag")) @attribute
(call target: (identifier) @keyword (#any-of? @keyword "alias" "import" "require" "use")) @import
(comment) @comment
