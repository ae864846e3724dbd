# The texts for the model become part of the program: agent/tools/edit.md is embedded("tools/edit.md").
set(table "#include \"agent/support/embedded.h\"\n\nnamespace bodkin {\n\n")
string(APPEND table "std::span<const EmbeddedText> embedded_texts() {\n")
string(APPEND table "  static constexpr EmbeddedText kTexts[] = {\n")
file(GLOB texts CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}
     ${CMAKE_CURRENT_SOURCE_DIR}/tools/*.md ${CMAKE_CURRENT_SOURCE_DIR}/tools/dialects/* ${CMAKE_CURRENT_SOURCE_DIR}/context/profiles/* ${CMAKE_CURRENT_SOURCE_DIR}/context/formats/*
     ${CMAKE_CURRENT_SOURCE_DIR}/models/models.json)
foreach(name ${texts})
  file(READ ${name} text)
  string(APPEND table "      {\"${name}\", R\"-text-(${text})-text-\"},\n")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${name})
endforeach()
string(APPEND table "  };\n  return kTexts;\n}\n\n}  // namespace bodkin\n")
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/generated/embedded.cpp CONTENT "${table}" @ONLY)
