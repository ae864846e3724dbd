// Blocks between two tags, which need not be indented: what is below the second tag is not in the
// block, be it as deep.
//
//   #if, #ifdef, #ifndef, #region     #endif, #endregion      C, C#
//   ifeq, ifneq, ifdef, ifndef        endif                   make
//   {{- if x }}, range, with, define  {{- end }}              Go, Helm
//   {{#if x}}, {{^x}}                 {{/if}}, {{/x}}         Handlebars, Mustache
//   {% if x %}                        {% endif %}             Jinja, Twig, Liquid
//   {#if x}                           {/if}                   Svelte
//   <% if x %>, <% a.each do |x| %>   <% end %>               ERB
//   <% if (x) { %>                    <% } %>                 EJS
//   @if (x)                           @endif                  Blade
//
// Of Jinja and Blade any word may open a block: it does if its end is found.
#pragma once

#include <cstddef>
#include <optional>

#include "edits/text/mapped_text.h"

namespace bodkin {

// The line after the one that closes the block which `head` opens. Nothing: it opens none, or none
// that is closed before `limit`.
std::optional<size_t> end_of_tagged(const MappedText& file, size_t head, size_t limit);

// The first line from `line` on that closes a block which was opened above `line`; else `limit`.
size_t end_of_round_tags(const MappedText& file, size_t line, size_t limit);

}  // namespace bodkin
