#include "edits/lazy/merged_sketch.h"

#include "edits/formats/reply_lines.h"
#include "edits/place/write.h"

namespace bodkin {

Merged::Merged(std::string_view sketch, const MappedText& mapped, std::string_view path,
               const std::vector<Replacement>& edits)
    : file(mapped), path(path) {
  const ReplyLines reply(sketch);
  for (const std::string_view line : reply.lines)
    if (!is_blank(line)) shown_at.add(line, shown.size()), shown.push_back(line);
  size_t next = 0;
  for (size_t i = 0; i < mapped.line_count(); ++i) {
    for (; next < edits.size() && edits[next].offset <= mapped.begin_of(i); ++next)
      begin_change(edits[next]);
    if (is_blank(mapped.line(i))) continue;
    const bool is_gone =
        next > 0 && mapped.begin_of(i) < edits[next - 1].offset + edits[next - 1].length;
    places.add(mapped.line(i), lines.size());
    lines.push_back(mapped.line(i));
    goes.push_back(is_gone);
    if (is_gone) changes.back().end = lines.size();
  }
  for (; next < edits.size(); ++next) begin_change(edits[next]);
  write_result();
}

void Merged::begin_change(const Replacement& edit) {
  MergedEdit& change = changes.emplace_back(MergedEdit{lines.size(), lines.size(), {}});
  const std::vector<std::string>& text = texts.emplace_back(lines_of(edit.text));
  change.is_less = lines_of(file.bytes().substr(edit.offset, edit.length)).size() > text.size();
  for (const std::string& line : text)
    if (!is_blank(line)) change.comes.push_back(trimmed_right(line));
}

void Merged::write_result() {
  size_t line = 0;
  const auto keep_until = [&](size_t end) {
    for (; line < end; ++line) after.push_back(lines[line]);
    is_added.resize(after.size(), 0);
  };
  for (const MergedEdit& change : changes) {
    keep_until(change.begin);
    line = change.end;
    std::unordered_map<std::string_view, size_t> gone;
    for (size_t i = change.begin; i < change.end; ++i) ++gone[trimmed(lines[i])];
    for (const std::string_view comes : change.comes) {
      size_t& left = gone[trimmed(comes)];
      after.push_back(comes);
      is_added.push_back(left == 0);
      left -= left > 0;
    }
  }
  keep_until(lines.size());
}

}  // namespace bodkin
