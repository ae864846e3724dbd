// A text is a table of chunks: some 16 KB of bytes each, as views into shared buffers, with the
// offsets of the lines that begin in them. The table itself is flat. A balanced tree would make an
// edit O(log n) instead of O(n / 16 KB), but a document of 100,000 lines has 250 chunks, and
// copying 250 pointers takes a microsecond: the tree would buy nothing that anyone can measure.
//
//   bytes   "int a;\nint b;\n" | "int c;\n…" | …      chunks: shared, immutable
//   offset   0                   14            21      running sums in the table
//   line     0                   2             3
//
// Invariant: a chunk does not begin between \r and \n, so that line ends can be counted by chunk.
#include "edits/text/text.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace bodkin {
namespace {

constexpr size_t kChunkSize = 16 * 1024;
constexpr size_t kSmallChunk = 4 * 1024;  // chunks below this are merged with a neighbour

struct Chunk {
  std::shared_ptr<const std::string> buffer;
  std::string_view bytes;             // in *buffer
  std::vector<uint16_t> line_begins;  // offsets after each line end; never 0
  bool has_lone_returns = false;      // as line ends
};
static_assert(2 * kChunkSize <= UINT16_MAX);

// Adds those of the bytes [at, end).
void find_line_begins(Chunk& chunk, size_t at, size_t end) {
  const std::string_view bytes = chunk.bytes.substr(0, end);
  const auto add = [&](size_t begin) { chunk.line_begins.push_back(static_cast<uint16_t>(begin)); };
  chunk.line_begins.reserve(chunk.bytes.size() / 32 + 1);
  size_t ret = bytes.find('\r', at);  // the next one
  while (at < bytes.size()) {
    const size_t newline = std::min(bytes.find('\n', at), bytes.size());
    for (; ret < newline; ret = bytes.find('\r', ret + 1)) {
      if (ret + 1 == newline && newline < bytes.size()) continue;
      chunk.has_lone_returns = true;
      add(ret + 1);
    }
    if (newline < bytes.size()) add(newline + 1);
    at = newline + 1;
  }
}

// The end of a chunk that begins at `begin`: after a line end if one is near, never inside
// \r\n or a UTF-8 sequence.
size_t chunk_end(std::string_view bytes, size_t begin) {
  if (bytes.size() - begin <= kChunkSize + kSmallChunk) return bytes.size();
  size_t end = begin + kChunkSize;
  // Only near the end: in a text of one line, the line end before is further back for every chunk.
  const std::string_view near = bytes.substr(begin + kChunkSize / 2, kChunkSize / 2);
  if (const size_t newline = near.rfind('\n'); newline != near.npos)
    return begin + kChunkSize / 2 + newline + 1;
  for (int i = 0; i < 3 && (static_cast<unsigned char>(bytes[end]) & 0xC0) == 0x80; ++i) --end;
  if (bytes[end] == '\n' && bytes[end - 1] == '\r') --end;
  return end;
}

// A chunk of which [begin, end) is new, and the rest is that of `old`, whose line ends are known:
// most edits are small. Only for bytes without \r, whose meaning depends on what follows.
std::shared_ptr<const Chunk> edited_chunk(const Chunk& old, std::string bytes, size_t begin,
                                          size_t end) {
  auto buffer = std::make_shared<const std::string>(std::move(bytes));
  auto chunk = std::make_shared<Chunk>(Chunk{buffer, *buffer, {}});
  auto& begins = chunk->line_begins;
  begins.reserve(old.line_begins.size() + 16);
  const size_t old_end = old.bytes.size() - (buffer->size() - end);
  const auto above = std::ranges::upper_bound(old.line_begins, begin);
  begins.assign(old.line_begins.begin(), above);
  find_line_begins(*chunk, begin, end);
  for (auto at = std::upper_bound(above, old.line_begins.end(), old_end);
       at != old.line_begins.end(); ++at)
    begins.push_back(static_cast<uint16_t>(*at - old_end + end));
  return chunk;
}

using Chunks = std::vector<std::shared_ptr<const Chunk>>;

void append_chunks(Chunks& chunks, std::string bytes) {
  auto buffer = std::make_shared<const std::string>(std::move(bytes));
  std::string_view all = *buffer;
  for (size_t begin = 0; begin < all.size();) {
    size_t end = chunk_end(all, begin);
    std::string_view view = all.substr(begin, end - begin);
    auto chunk = std::make_shared<Chunk>(Chunk{buffer, view, {}});
    find_line_begins(*chunk, 0, view.size());
    chunks.push_back(std::move(chunk));
    begin = end;
  }
}

}  // namespace

struct Text::Table {
  Chunks chunks;
  // Bytes and line ends before each chunk; one entry more than chunks, for the end.
  std::vector<size_t> offsets, lines;

  explicit Table(Chunks all) : chunks(std::move(all)) {
    offsets.reserve(chunks.size() + 1);
    lines.reserve(chunks.size() + 1);
    offsets.push_back(0);
    lines.push_back(0);
    for (const auto& chunk : chunks) {
      offsets.push_back(offsets.back() + chunk->bytes.size());
      lines.push_back(lines.back() + chunk->line_begins.size());
    }
  }

  // The chunk that holds the byte at `offset`; the number of chunks if it is beyond the end.
  size_t chunk_of(size_t offset) const {
    return std::upper_bound(offsets.begin(), offsets.end(), offset) - offsets.begin() - 1;
  }

  char byte(size_t offset) const {
    size_t i = chunk_of(offset);
    return chunks[i]->bytes[offset - offsets[i]];
  }

  void append_to(std::string& out, size_t begin, size_t end) const {
    for (size_t i = chunk_of(begin); begin < end; ++i) {
      std::string_view part = chunks[i]->bytes.substr(begin - offsets[i], end - begin);
      out += part;
      begin += part.size();
    }
  }
};

Text::Text() {
  static const auto empty = std::make_shared<const Table>(Chunks{});
  table_ = empty;
}

Text::Text(std::string bytes) {
  Chunks chunks;
  append_chunks(chunks, std::move(bytes));
  table_ = std::make_shared<const Table>(std::move(chunks));
}

Text::Text(std::shared_ptr<const Table> table) : table_(std::move(table)) {}

size_t Text::size() const { return table_->offsets.back(); }

size_t Text::line_count() const { return table_->lines.back() + 1; }

size_t Text::line_begin(size_t line) const {
  if (line == 0) return 0;
  const Table& table = *table_;
  if (line > table.lines.back()) return size();
  // The line begins after line end number line - 1 (from 0): in the last chunk with fewer before.
  size_t i =
      std::lower_bound(table.lines.begin(), table.lines.end(), line) - table.lines.begin() - 1;
  return table.offsets[i] + table.chunks[i]->line_begins[line - 1 - table.lines[i]];
}

size_t Text::line_end(size_t line) const {
  if (line >= table_->lines.back()) return size();
  size_t end = line_begin(line + 1) - 1;
  if (end > 0 && table_->byte(end) == '\n' && table_->byte(end - 1) == '\r') --end;
  return end;
}

size_t Text::line_of(size_t offset) const {
  const Table& table = *table_;
  if (offset >= size()) return table.lines.back();
  size_t i = table.chunk_of(offset);
  const auto& begins = table.chunks[i]->line_begins;
  return table.lines[i] +
         (std::upper_bound(begins.begin(), begins.end(), offset - table.offsets[i]) -
          begins.begin());
}

std::vector<size_t> Text::line_begins() const {
  std::vector<size_t> begins(line_count());
  auto next = begins.begin() + 1;  // the first line begins at 0
  for (size_t i = 0; i < table_->chunks.size(); ++i)
    next = std::ranges::transform(table_->chunks[i]->line_begins, next,
                                  [offset = table_->offsets[i]](size_t at) { return offset + at; })
               .out;
  return begins;
}

bool Text::has_lone_returns() const {
  return std::ranges::any_of(table_->chunks,
                             [](const auto& chunk) { return chunk->has_lone_returns; });
}

std::string Text::str() const { return substr(0, size()); }

std::string Text::substr(size_t offset, size_t length) const {
  offset = std::min(offset, size());
  length = std::min(length, size() - offset);
  std::string out;
  out.reserve(length);
  table_->append_to(out, offset, offset + length);
  return out;
}

std::string Text::line(size_t line) const {
  size_t begin = line_begin(line);
  return substr(begin, line_end(line) - begin);
}

std::string_view Text::chunk_at(size_t offset) const {
  const Table& table = *table_;
  if (offset >= size()) return {};
  size_t i = table.chunk_of(offset);
  std::string_view first = table.chunks[i]->bytes.substr(offset - table.offsets[i]);
  const char* end = first.data() + first.size();
  while (++i < table.chunks.size() && table.chunks[i]->bytes.data() == end &&
         table.chunks[i]->buffer == table.chunks[i - 1]->buffer)
    end += table.chunks[i]->bytes.size();
  return {first.data(), static_cast<size_t>(end - first.data())};
}

Text Text::replace(size_t offset, size_t length, std::string_view with) const {
  const Table& table = *table_;
  offset = std::min(offset, size());
  length = std::min(length, size() - offset);
  if (length == 0 && with.empty()) return *this;
  // The chunks [first, last) are written again. They hold the byte before and the byte after the
  // change, so that their own outer ends stay as they are and \r\n is not cut.
  size_t first = offset > 0 ? table.chunk_of(offset - 1) : 0;
  size_t last = std::min(table.chunk_of(offset + length) + 1, table.chunks.size());
  auto new_size = [&] { return table.offsets[last] - table.offsets[first] + with.size() - length; };
  if (new_size() < kSmallChunk && first > 0) --first;
  if (new_size() < kSmallChunk && last < table.chunks.size()) ++last;

  std::string bytes;
  bytes.reserve(new_size());
  table.append_to(bytes, table.offsets[first], offset);
  bytes += with;
  table.append_to(bytes, offset + length, table.offsets[last]);

  Chunks chunks(table.chunks.begin(), table.chunks.begin() + first);
  chunks.reserve(table.chunks.size() + bytes.size() / kChunkSize + 2);
  const size_t begin = offset - table.offsets[first];
  if (last == first + 1 && bytes.size() <= kChunkSize + kSmallChunk && !bytes.empty() &&
      bytes.find('\r') == std::string::npos)
    chunks.push_back(
        edited_chunk(*table.chunks[first], std::move(bytes), begin, begin + with.size()));
  else
    append_chunks(chunks, std::move(bytes));
  chunks.insert(chunks.end(), table.chunks.begin() + last, table.chunks.end());
  return Text(std::make_shared<const Table>(std::move(chunks)));
}

bool operator==(const Text& a, const Text& b) {
  if (a.table_ == b.table_) return true;
  if (a.size() != b.size()) return false;
  for (size_t at = 0; at < a.size();) {
    std::string_view left = a.chunk_at(at), right = b.chunk_at(at);
    size_t n = std::min(left.size(), right.size());
    if (left.data() != right.data() && std::memcmp(left.data(), right.data(), n) != 0) return false;
    at += n;
  }
  return true;
}

}  // namespace bodkin
