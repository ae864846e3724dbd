// One class of more than 350 lines: every step reads the sketch and the file by the same scopes and
// keys.
#include "edits/lazy/lazy_merge.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "edits/formats/reply_lines.h"
#include "edits/lazy/lazy_blocks.h"
#include "edits/lazy/lazy_runs.h"
#include "edits/lazy/lazy_words.h"
#include "edits/place/tokens.h"
#include "edits/text/line_keys.h"
#include "edits/text/stopping.h"

namespace bodkin {

namespace {

constexpr int kMaxLevels = 200;  // each is a call in the other

enum class Level { file, body };       // of what
enum class LevelEnd { open, closed };  // closed: a line that only closes the level is shown

// Blank lines that only one side has, with no other change there: they are the sketch's layout. A
// sketch without any blank line has also lost those next to a change.
std::vector<char> layout_of(const std::vector<LazyItem>& sketch, const std::vector<LazyItem>& file,
                            const std::vector<ItemPair>& pairs) {
  std::vector<char> out(pairs.size(), 0);
  const bool has_none = std::ranges::none_of(sketch, &LazyItem::blank);
  const auto is_lost = [&](const ItemPair& pair) {
    return pair.sketch < 0 && file[static_cast<size_t>(pair.file)].blank;
  };
  for (size_t i = 0; i < pairs.size(); ++i) {
    const auto both = [](const ItemPair& pair) { return pair.sketch >= 0 && pair.file >= 0; };
    size_t end = i;
    while (end < pairs.size() && !both(pairs[end])) ++end;
    const auto is_blank = [&](const ItemPair& pair) {
      return (pair.sketch >= 0 ? sketch[static_cast<size_t>(pair.sketch)]
                               : file[static_cast<size_t>(pair.file)])
          .blank;
    };
    if (std::all_of(pairs.begin() + static_cast<long>(i), pairs.begin() + static_cast<long>(end),
                    is_blank))
      std::fill(out.begin() + static_cast<long>(i), out.begin() + static_cast<long>(end), 1);
    for (size_t k = i; k < end && has_none && is_lost(pairs[k]); ++k) out[k] = 1;
    for (size_t k = end; k > i && has_none && (pairs[k - 1].file < 0 || is_lost(pairs[k - 1])); --k)
      out[k - 1] = pairs[k - 1].file >= 0;
    i = end;
  }
  return out;
}

class LazyMerge {
 public:
  LazyMerge(const LazySide& sketch, const LazySide& file, bool by_blocks)
      : sketch_(sketch), file_(file), by_blocks_(by_blocks) {
    std::unordered_set<std::string_view> lines;
    for (const std::string& line : file.lines) lines.insert(trimmed(line));
    for (size_t i = 0; i < sketch.lines.size(); ++i)
      has_news_ = has_news_ || (!sketch.elides(i) && !lines.contains(trimmed(sketch.lines[i])));
  }

  FailureOr<std::vector<LineEdit>> merge() {
    if (by_blocks_) open_around_members();
    std::vector<LineEdit> edits;
    if (auto fine = merge_level({0, sketch_.lines.size()}, {0, file_.lines.size()}, Level::file,
                                LevelEnd::open, edits);
        !fine)
      return std::unexpected(fine.error());
    return edits;
  }

 private:
  int key_of(std::string_view text) {
    return keys_.try_emplace(std::string(trimmed_right(text)), static_cast<int>(keys_.size()))
        .first->second;
  }

  // Declarations directly inside the lines: those in no other declaration there. Namespaces of the
  // file count as not there unless the sketch shows them.
  std::vector<const SyntaxBlock*> declarations(const LazySide& side, LineRange lines) const {
    std::vector<const SyntaxBlock*> out;
    size_t end = lines.begin;
    for (const SyntaxBlock& block : side.blocks) {
      if (!block.is_declaration || block.lines.begin < end || block.lines.end > lines.end) continue;
      if (&side == &file_ && is_open(block)) continue;
      out.push_back(&block);
      end = block.lines.end;
    }
    return out;
  }

  bool is_open(const SyntaxBlock& block) const {
    if (opened_.contains(&block)) return true;
    return block.kind == "module" &&
           std::ranges::none_of(sketch_.blocks, [&](const SyntaxBlock& shown) {
             return shown.kind == block.kind && shown.name == block.name;
           });
  }

  // Members may be shown without the class around them: if the file itself has none of their names,
  // and only one class has any, its members count as the file's.
  void open_around_members() {
    std::vector<const SyntaxBlock*> members = declarations(sketch_, {0, sketch_.lines.size()});
    std::erase_if(members, [](const SyntaxBlock* block) { return block->kind == "import"; });
    const auto has_name = [&](const SyntaxBlock* other) {
      return other->kind != "import" && std::ranges::any_of(members, [&](auto* member) {
               return member->name == other->name;
             });
    };
    if (std::ranges::any_of(declarations(file_, {0, file_.lines.size()}), has_name)) return;
    const SyntaxBlock* found = nullptr;
    for (const SyntaxBlock& around : file_.blocks) {
      if (!around.is_declaration || around.body_line >= around.lines.end || is_open(around))
        continue;
      const LineRange body{around.body_line, tail_of(file_, around)};
      if (std::ranges::none_of(declarations(file_, body), has_name)) continue;
      if (found) return;
      found = &around;
    }
    if (!found) return;
    for (const SyntaxBlock& outer : file_.blocks)
      if (outer.is_declaration && outer.lines.begin <= found->lines.begin &&
          found->lines.end <= outer.lines.end)
        opened_.insert(&outer);
  }

  static bool is_detailed(const LazySide& side, const SyntaxBlock& block) {
    constexpr size_t kFew = 3;  // lines with words: of a head, and a first or last line
    size_t shown = 0;
    for (size_t i = block.lines.begin; i < block.lines.end; ++i)
      shown += !side.elides(i) && has_word(side.lines[i]);
    return shown > kFew;
  }

  // The items of a level: its lines, and its blocks as one each.
  std::vector<LazyItem> items_of(const LazySide& side, LineRange lines,
                                 const std::vector<const SyntaxBlock*>& blocks) {
    std::vector<LazyItem> items;
    size_t next = 0;
    for (size_t line = lines.begin; line < lines.end;) {
      while (next < blocks.size() && blocks[next]->lines.begin < line) ++next;
      if (next < blocks.size() && begin_of(side, *blocks[next], lines, line) == line) {
        const SyntaxBlock& block = *blocks[next++];
        items.push_back({{line, block.lines.end}, 0, side.lines[block.lines.begin], &block});
        items.back().ends_elided = side.elides(block.lines.end - 1);
        items.back().is_outline = side.elides_in(block.lines);
        items.back().is_detailed = items.back().is_outline && is_detailed(side, block);
        line = block.lines.end;
        continue;
      }
      const std::string& text = side.lines[line];
      items.push_back(
          {{line, line + 1}, key_of(text), text, nullptr, side.elides(line), is_blank(text)});
      items.back().is_outline =
          side.elides(line + 1) &&
          (text.starts_with('[') ||
           indentation_of(side.lines[line + 1]).size() > indentation_of(text).size());
      ++line;
    }
    return items;
  }

  // The blocks of a level: declarations; of the others only those that elide (or, in the file, may
  // be their like).
  std::vector<const SyntaxBlock*> blocks_in(const LazySide& side, LineRange lines,
                                            const std::vector<const SyntaxBlock*>* like) const {
    std::vector<const SyntaxBlock*> out;
    if (!by_blocks_) return out;
    size_t end = lines.begin;
    for (const SyntaxBlock& block : side.blocks) {
      if (block.lines.begin < end || block.lines.end > lines.end) continue;
      bool wanted = block.is_declaration && !(like && is_open(block));
      if (!wanted && !like && !block.is_declaration)
        wanted = side.elides_in({block.lines.begin + 1, block.lines.end - 1});
      if (!wanted && like && !block.is_declaration)
        wanted = std::ranges::any_of(*like, [&](const SyntaxBlock* other) {
          return !other->is_declaration && same_head(*other, block);
        });
      if (!wanted) continue;
      out.push_back(&block);
      end = block.lines.end;
    }
    return out;
  }

  bool same_head(const SyntaxBlock& sketched, const SyntaxBlock& filed) const {
    return sketched.kind == filed.kind &&
           has_more_words(sketch_.lines[sketched.lines.begin], file_.lines[filed.lines.begin]);
  }

  FailureOr<void> merge_level(LineRange sketched, LineRange filed, Level level, LevelEnd end,
                              std::vector<LineEdit>& edits) {
    const auto sketch_blocks = blocks_in(sketch_, sketched, nullptr);
    const auto file_blocks = blocks_in(file_, filed, &sketch_blocks);
    std::vector<LazyItem> file = items_of(file_, filed, file_blocks);
    std::unordered_map<const SyntaxBlock*, int> block_keys;
    for (LazyItem& item : file)
      if (item.block) item.key = block_keys[item.block] = next_key_--;
    std::vector<const SyntaxBlock*> outside;
    if (level == Level::file)
      for (const SyntaxBlock& block : file_.blocks)
        if (block.is_declaration && !block_keys.contains(&block)) outside.push_back(&block);
    const std::vector<BlockMatch> matches =
        match_blocks(sketch_, sketch_blocks, file_, file_blocks, outside);
    align_indentation(sketch_blocks, matches);
    std::vector<LazyItem> sketch = items_of(sketch_, sketched, sketch_blocks);
    std::vector<std::vector<LineEdit>> inner(sketch.size());
    size_t next = 0;
    for (size_t i = 0; i < sketch.size() && !is_stopped(); ++i) {
      LazyItem& item = sketch[i];
      if (!item.block) continue;
      while (sketch_blocks[next] != item.block) ++next;
      const BlockMatch& match = matches[next];
      const size_t line = item.block->lines.begin;
      if (match.doubtful)
        return lazy_error(FailureKind::ambiguous, line,
                          "the file has `" + item.block->name + "`, but not with this head",
                          "say which "
                          "one by quoting its unchanged head, or also show its neighbours");
      item.key = match.file ? block_keys[match.file] : next_key_--;
      const bool inline_elision =
          elides_inline(sketch_, *item.block) && !(match.file && elides_inline(file_, *match.file));
      if (!match.file) {
        if (inline_elision || sketch_.elides_in(item.lines))
          return lazy_error(FailureKind::not_found, line,
                            "this is not in the file, so it is unknown what it leaves out");
        continue;
      }
      if (auto fine =
              merge_block(*item.block, item.lines.begin, *match.file, inline_elision, inner[i]);
          !fine)
        return fine;
      item.changed = !inner[i].empty();
    }
    const auto pairs = place_runs(
        sketch, file, {level == Level::file, end == LevelEnd::closed, has_news_, by_blocks_});
    if (!pairs) return std::unexpected(pairs.error());
    const std::vector<char> layout = sketch_.elides_anywhere()
                                         ? layout_of(sketch, file, *pairs)
                                         : std::vector<char>(pairs->size(), 0);
    bool open = false, skipped = false;  // skipped: blank lines that stay
    for (size_t k = 0; k < pairs->size(); ++k) {
      if (layout[k]) {
        skipped = true;
        continue;
      }
      const ItemPair& pair = (*pairs)[k];
      if (pair.sketch >= 0 && pair.file >= 0) {
        auto& own = inner[static_cast<size_t>(pair.sketch)];
        edits.insert(edits.end(), own.begin(), own.end());
        open = skipped = false;
        continue;
      }
      const size_t at = pair.at < file.size() ? file[pair.at].lines.begin : filed.end;
      if (skipped && !open && pair.file < 0 && !sketch[static_cast<size_t>(pair.sketch)].blank)
        return lazy_error(FailureKind::ambiguous,
                          sketch[static_cast<size_t>(pair.sketch)].lines.begin,
                          "there are blank lines where this goes",
                          "show them, to say whether they stay before or after it");
      if (open && edits.back().end != at && !(skipped && pair.file < 0)) open = false;
      if (!open) edits.push_back({at, at, {}});
      open = true;
      if (pair.file >= 0) {
        edits.back().end = file[static_cast<size_t>(pair.file)].lines.end;
        continue;
      }
      const LazyItem& item = sketch[static_cast<size_t>(pair.sketch)];
      if (level == Level::file && !item.block && is_in_a_block(item))
        return lazy_error(FailureKind::ambiguous, item.lines.begin,
                          "this line is in a declaration of the file", "also show its head");
      if (item.block && block_keys_has(block_keys, item.key))
        return lazy_error(FailureKind::not_found, item.lines.begin,
                          "`" + item.block->name + "` is elsewhere in the file", "keep the order");
      for (size_t line = item.lines.begin; line < item.lines.end; ++line)
        edits.back().lines.push_back(sketch_.lines[line]);
    }
    return {};
  }

  // True for a line of one of the file's declarations. There it is not a new one outside of them.
  bool is_in_a_block(const LazyItem& item) {
    if (!by_blocks_ || !has_word(item.text)) return false;
    if (!declared_lines_) {
      declared_lines_.emplace();
      for (const SyntaxBlock& block : file_.blocks)
        if (block.is_declaration && block.kind != "import")
          for (size_t i = std::min(block.comment_line, block.lines.begin); i < block.lines.end; ++i)
            declared_lines_->insert(file_.lines[i]);
    }
    return declared_lines_->contains(item.text);
  }

  static bool block_keys_has(const std::unordered_map<const SyntaxBlock*, int>& keys, int key) {
    return std::ranges::any_of(keys, [&](const auto& entry) { return entry.second == key; });
  }

  // Blocks take the indentation that they have in the file; new ones are moved as those are.
  void align_indentation(const std::vector<const SyntaxBlock*>& blocks,
                         const std::vector<BlockMatch>& matches) {
    std::map<std::string, std::string> moved;
    const auto own = [&](size_t i) {
      return std::string(indentation_of(sketch_.lines[blocks[i]->lines.begin]));
    };
    const auto move = [&](size_t i, const std::string& to) {
      if (own(i) == to) return;
      shift(sketch_,
            {std::min(blocks[i]->comment_line, blocks[i]->lines.begin), blocks[i]->lines.end}, to);
    };
    for (const bool is_new : {false, true})
      for (size_t i = 0; i < blocks.size(); ++i) {
        if ((matches[i].file == nullptr) != is_new || blocks[i]->kind == "import") continue;
        const std::string from = own(i);
        if (is_new) {
          if (moved.contains(from)) move(i, moved[from]);
        } else {
          moved[from] = indentation_of(file_.lines[matches[i].file->lines.begin]);
          move(i, moved[from]);
        }
      }
  }

  FailureOr<void> merge_block(const SyntaxBlock& sketched, size_t sketch_begin,
                              const SyntaxBlock& filed, bool inline_elision,
                              std::vector<LineEdit>& edits) {
    // What the sketch does not show above the declaration stays: its comment, its decorators, its
    // template's parameters.
    size_t file_begin = filed.lines.begin;
    if (sketch_begin < sketched.lines.begin) file_begin = filed.comment_line;
    if (sketch_begin == sketched.lines.begin &&
        head_line(sketch_, sketched) == sketched.lines.begin)
      file_begin = head_line(file_, filed);
    for (size_t i = file_begin + 1; i < filed.body_line && sketch_begin == sketched.lines.begin;
         ++i)
      if (file_.lines[i] == sketch_.lines[sketch_begin] &&
          file_.lines[file_begin] != file_.lines[i])
        file_begin = i;
    if (inline_elision) {
      if (sketch_.lines[sketched.lines.begin] == file_.lines[filed.lines.begin] ||
          same_before_body(sketch_, sketched, file_, filed))
        return {};
      return lazy_error(FailureKind::not_found, sketched.lines.begin,
                        "its body is left out on the line of its head",
                        "write "
                        "`... existing code ...` on a separate line");
    }
    if (!sketch_.elides_in(sketched.lines)) {
      if (const auto lost = lost_behind(sketched, filed))
        return lazy_error(FailureKind::ambiguous, sketched.lines.end - 1,
                          "line " + std::to_string(*lost + 1) +
                              " of the file would be lost, and `... existing code ...` may stand "
                              "for it",
                          "show the end of the block, or elide it within the block");
      replace_lines(sketch_, {sketch_begin, sketched.lines.end}, file_,
                    {file_begin, filed.lines.end}, edits);
      return {};
    }
    const size_t body_line = body_of(sketch_, sketched), file_body = body_of(file_, filed);
    if (sketch_.elides_in({sketched.lines.begin, body_line}) || body_line >= sketched.lines.end ||
        file_body >= filed.lines.end)
      return lazy_error(FailureKind::not_found, sketched.lines.begin, "its head is incomplete",
                        "write all of it");
    const size_t sketch_tail = tail_of(sketch_, sketched), file_tail = tail_of(file_, filed);
    if ((sketch_tail == sketched.lines.end) != (file_tail == filed.lines.end))
      return lazy_error(FailureKind::not_found, sketched.lines.end - 1,
                        "this block does not end as it does in the file");
    replace_lines(sketch_, {sketch_begin, body_line}, file_, {file_begin, file_body}, edits);
    if (depth_ == kMaxLevels)
      return lazy_error(FailureKind::ambiguous, sketched.lines.begin, "it is nested too deeply",
                        "send SEARCH/REPLACE blocks");
    ++depth_;
    auto fine =
        merge_level({body_line, sketch_tail}, {file_body, file_tail}, Level::body,
                    file_tail != filed.lines.end ? LevelEnd::closed : LevelEnd::open, edits);
    --depth_;
    if (!fine) return fine;
    replace_lines(sketch_, {sketch_tail, sketched.lines.end}, file_, {file_tail, filed.lines.end},
                  edits);
    return {};
  }

  // What may be left out at the end of a block that nothing closes, right before an elision: the
  // file's last line there, unless the sketch's last line is that one; or a declaration within.
  std::optional<size_t> lost_behind(const SyntaxBlock& sketched, const SyntaxBlock& filed) const {
    size_t next = sketched.lines.end;
    while (next < sketch_.lines.size() && is_blank(sketch_.lines[next])) ++next;
    if (next == sketch_.lines.size() || !sketch_.elides(next) ||
        tail_of(file_, filed) != filed.lines.end)
      return std::nullopt;
    const auto last_of = [](const LazySide& side, const SyntaxBlock& block) {
      size_t last = block.lines.end - 1;
      while (last > block.lines.begin && is_blank(side.lines[last])) --last;
      return last;
    };
    for (const SyntaxBlock& inner : file_.blocks)
      if (inner.is_declaration && inner.kind != "import" && filed.body_line <= inner.lines.begin &&
          inner.lines.end <= filed.lines.end &&
          std::ranges::none_of(sketch_.blocks, [&](const SyntaxBlock& shown) {
            return shown.is_declaration && shown.name == inner.name &&
                   sketched.lines.begin <= shown.lines.begin &&
                   shown.lines.end <= sketched.lines.end;
          }))
        return inner.lines.begin;
    const size_t ours = last_of(file_, filed), theirs = last_of(sketch_, sketched);
    return is_replaced_end(file_.lines[ours], sketch_.lines[theirs]) ? std::nullopt
                                                                     : std::optional(ours);
  }

  LazySide sketch_;
  const LazySide& file_;
  std::set<const SyntaxBlock*> opened_;  // of the file: their members count as those around them
  const bool by_blocks_;
  std::unordered_map<std::string, int> keys_;
  int depth_ = 0;          // of levels in each other
  int next_key_ = -1;      // of blocks: never those of lines
  bool has_news_ = false;  // the sketch has lines that the file has not
  std::optional<std::unordered_set<std::string_view>> declared_lines_;  // once they are asked for
};

}  // namespace

FailureOr<std::vector<LineEdit>> merge_sides(const LazySide& sketch, const LazySide& file,
                                             bool by_blocks) {
  return LazyMerge(sketch, file, by_blocks).merge();
}

}  // namespace bodkin
