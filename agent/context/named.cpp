#include "agent/context/named.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "agent/context/mentions.h"
#include "agent/context/problem_places.h"
#include "edits/plan/paths.h"
#include "edits/text/line_keys.h"
#include "grammars/symbol_index.h"

namespace bodkin {

namespace {

constexpr size_t kMaxNames = 12;       // that are looked up
constexpr size_t kMaxListed = 20'000;  // files among which a name is looked for
constexpr size_t kMinPlainWord = 4;    // letters of a plain word that is taken for a name
constexpr size_t kMaxPhraseWords = 5;  // words of a name that is said in words
constexpr size_t kMaxPhraseMatches = 200;

bool ends_with_path(std::string_view path, std::string_view end) {
  return path.ends_with(end) &&
         (path.size() == end.size() || path[path.size() - end.size() - 1] == '/');
}

std::string_view file_stem(std::string_view path) {
  const std::string_view name = last_part(path);
  return name.substr(0, name.find('.', 1));
}

NamedKind kind_of(SymbolKind kind) {
  return is_function(kind) ? NamedKind::function : NamedKind::type;
}

// A word of the request in the form in which it is compared.
struct Stem {
  std::string text;
  std::string_view word;
  NamedKind kind = NamedKind::none;
  bool may_be_alone = false;  // "the parser", "parser函数"
  size_t sentence = 0;
};

// Something named by words.
struct PhraseMatch {
  size_t begin = 0, end = 0;  // of the stems
  size_t words = 0;           // that its name has
  int rank = 0;  // 0: its own name; 1: with the class around it; 2: with its file; 3: a file's name
  NamedKind kind = NamedKind::none;
  std::string path, name;  // name: qualified; empty: the file
};

class Finder {
 public:
  Finder(std::string_view request, Workspace& workspace, const Task& task)
      : workspace_(workspace),
        task_(task),
        words_(words_in(request)),
        index_(workspace.symbols(task)) {}

  Named find() {
    for (const RequestWord& word : words_) {
      if (task_.stop.stop_requested() || looked_up_ >= kMaxNames) break;
      if (looks_like_path(word.text) && find_path(word.text)) continue;
      if (is_name(word)) find_name(word);
    }
    find_plain_words();
    find_phrases();
    return std::move(result_);
  }

 private:
  static bool is_name(const RequestWord& word) {
    if (word.is_quoted || word.is_code) return word.text.size() > 1;
    if (word.text.size() < 3 || is_common_word(word.text)) return false;
    return word.has_kind || word.is_in_foreign;
  }

  bool find_path(std::string_view word) {
    ++looked_up_;
    while (word.starts_with("./")) word.remove_prefix(2);
    if (workspace_.read(word, task_)) return add_file(std::string(word));
    if (!listed_) {
      auto listed = workspace_.list("", kMaxListed, task_);
      listed_ = listed ? *std::move(listed) : std::vector<std::string>();
    }
    const std::string* only = nullptr;
    for (const std::string& path : *listed_) {
      if (!ends_with_path(path, word)) continue;
      if (only) return true;  // several: nobody knows which is meant
      only = &path;
    }
    return only && workspace_.read(*only, task_) && add_file(*only);
  }

  bool add_file(std::string path) {
    if (std::ranges::find(result_.files, path) == result_.files.end())
      result_.files.push_back(std::move(path));
    return true;
  }

  bool find_name(const RequestWord& word) {
    const std::string_view simple = simple_name(word.text);
    if (index_ && !word.is_quoted && simple == word.text &&
        index_->find(std::vector{std::string(simple)}, kMaxNames).size() >= kMaxNames) {
      return false;
    }
    ++looked_up_;
    return add_only(find_symbols(workspace_, word.text, "", task_));
  }

  bool add_only(const std::vector<FoundSymbol>& found) {
    const FoundSymbol* one = only_match(found);
    if (!one || one->symbol.kind == SymbolKind::section) return false;
    for (const FoundSymbol& other : result_.symbols) {
      if (other.file.path == one->file.path && other.symbol.begin == one->symbol.begin) return true;
    }
    result_.symbols.push_back(*one);
    return true;
  }

  // "make resize faster": a word that is a name in one place only.
  void find_plain_words() {
    if (!index_) return;
    std::vector<std::string> names;
    for (const RequestWord& word : words_) {
      if (word.text.size() < kMinPlainWord || is_name(word) || looks_like_path(word.text)) continue;
      if (!is_common_word(word.text)) names.push_back(std::string(word.text));
    }
    std::map<std::string, std::vector<IndexedSymbol>> found;
    for (IndexedSymbol& symbol : index_->find(names, 1'000)) {
      if (is_declaration(symbol.kind))
        found[std::string(simple_name(symbol.name))].push_back(std::move(symbol));
    }
    for (const std::string& name : names) {
      const auto declared = found.find(name);
      if (declared == found.end() || declared->second.size() > 2 || looked_up_ >= kMaxNames)
        continue;
      ++looked_up_;
      add_only(find_symbols(workspace_, name, "", task_));
    }
  }

  std::vector<Stem> stems() const {
    std::vector<Stem> result;
    size_t sentence = 0;
    for (const RequestWord& word : words_) {
      const std::string small = lower_case(word.text);
      const NamedKind kind = named_kind(small);
      // "the parser", but not "the error": a name that everybody has says nothing alone.
      const bool may_be_alone = !is_common_word(small) && small.size() >= kMinPlainWord &&
                                (word.has_article || word.has_kind || word.is_in_foreign);
      for (std::string& stem : name_stems(word.text))
        result.push_back({std::move(stem), word.text, kind, may_be_alone, sentence});
      if (word.ends_sentence) ++sentence;
    }
    return result;
  }

  void find_phrases() {
    if (!index_) return;
    stems_ = stems();
    for (const Stem& stem : stems_) known_.insert(stem.text);
    index_->visit([&](std::string_view path, const FileSymbols& file) {
      const std::vector<std::string> of_file = name_stems(file_stem(path));
      match(of_file, {.rank = 3, .kind = NamedKind::file, .path = std::string(path), .name = ""});
      for (const FileSymbols::Definition& definition : file.definitions) {
        if (!is_declaration(definition.kind)) continue;
        const std::string_view name = file.name(definition);
        std::vector<std::string> own = name_stems(name);
        if (!all_known(own)) continue;
        const std::string container = file.container(definition);
        const std::string qualified =
            container.empty() ? std::string(name) : container + "::" + std::string(name);
        PhraseMatch found{.rank = 0,
                          .kind = kind_of(definition.kind),
                          .path = std::string(path),
                          .name = qualified};
        match(own, found);
        const auto with = [&](std::vector<std::string> more, int rank) {
          more.insert(more.end(), own.begin(), own.end());
          found.rank = rank;
          match(more, found);
        };
        if (!container.empty()) with(name_stems(simple_name(container)), 1);
        with(of_file, 2);
      }
    });
    take_phrases();
  }

  bool all_known(const std::vector<std::string>& name) const {
    return std::ranges::all_of(name,
                               [&](const std::string& stem) { return known_.contains(stem); });
  }

  // Finds where the request says all words of a name, one after the other and in any order; common
  // words may be between them.
  void match(const std::vector<std::string>& name, PhraseMatch found) {
    const std::set<std::string_view> wanted(name.begin(), name.end());
    if (wanted.empty() || wanted.size() > kMaxPhraseWords || matches_.size() >= kMaxPhraseMatches ||
        !all_known(name)) {
      return;
    }
    if (wanted.size() == 1 && found.rank == 2)
      return;  // the class of a file of the same name has rank 0
    for (size_t begin = 0; begin < stems_.size(); ++begin) {
      if (!wanted.contains(stems_[begin].text)) continue;
      if (wanted.size() == 1) {
        if (!stems_[begin].may_be_alone) continue;
        found.begin = begin, found.end = begin + 1, found.words = 1;
        matches_.push_back(found);
        return;
      }
      std::set<std::string_view> left = wanted;
      size_t at = begin;
      for (; at < stems_.size() && !left.empty() && stems_[at].sentence == stems_[begin].sentence;
           ++at) {
        if (left.erase(stems_[at].text) == 0 && !wanted.contains(stems_[at].text) &&
            !is_filler(stems_[at]))
          break;
      }
      if (!left.empty()) continue;
      found.begin = begin, found.end = at, found.words = wanted.size();
      matches_.push_back(found);
      return;
    }
  }

  static bool is_filler(const Stem& stem) {
    return stem.kind != NamedKind::none || stem.word == "the" || stem.word == "of" ||
           stem.word == "a" || stem.word == "an" || stem.word == "in" || stem.word == "for" ||
           stem.word == "our" || stem.word == "its";
  }

  // "the error type": the word next to a phrase says what kind of thing it is.
  bool is_said(NamedKind kind, const PhraseMatch& match) const {
    for (size_t at = match.begin > 0 ? match.begin - 1 : 0; at <= match.end && at < stems_.size();
         ++at) {
      if (stems_[at].kind == kind && kind != NamedKind::none) return true;
    }
    return false;
  }

  void take_phrases() {
    std::ranges::stable_sort(matches_, [](const PhraseMatch& a, const PhraseMatch& b) {
      return a.words != b.words ? a.words > b.words : a.begin < b.begin;
    });
    std::vector<bool> taken(stems_.size(), false);
    for (size_t i = 0; i < matches_.size() && looked_up_ < kMaxNames;) {
      const PhraseMatch& first = matches_[i];
      std::vector<const PhraseMatch*> same;
      for (; i < matches_.size() && matches_[i].words == first.words &&
             matches_[i].begin == first.begin;
           ++i) {
        same.push_back(&matches_[i]);
      }
      const auto begin = taken.begin() + static_cast<std::ptrdiff_t>(first.begin);
      const auto end = taken.begin() + static_cast<std::ptrdiff_t>(first.end);
      if (std::find(begin, end, true) != end) continue;
      if (take_one(std::move(same))) std::fill(begin, end, true);
    }
  }

  // True if something is meant by the phrase, whether or not it is known what.
  bool take_one(std::vector<const PhraseMatch*> same) {
    for (const NamedKind kind : {NamedKind::file, NamedKind::type, NamedKind::function}) {
      const auto fits = [&](const PhraseMatch* match) {
        return match->kind == kind && is_said(kind, *match);
      };
      if (std::ranges::any_of(same, fits))
        std::erase_if(same, [&](const PhraseMatch* match) { return !fits(match); });
    }
    const int rank = (*std::ranges::min_element(same, {}, &PhraseMatch::rank))->rank;
    std::erase_if(same, [&](const PhraseMatch* match) { return match->rank != rank; });
    ++looked_up_;
    if (rank == 3) {  // a header and its source are one file
      const std::string_view path = same[0]->path;
      const std::string_view stem = path.substr(0, path.rfind('/') + 1 + file_stem(path).size());
      if (same.size() > 2) return true;
      for (const PhraseMatch* match : same) {
        if (!match->path.starts_with(stem) || match->path.size() <= stem.size() ||
            match->path[stem.size()] != '.')
          return true;
      }
      for (const PhraseMatch* match : same) add_file(match->path);
      return true;
    }
    std::set<std::string_view> names;
    for (const PhraseMatch* match : same) names.insert(simple_name(match->name));
    if (names.size() != 1) return true;
    if (!add_only(find_symbols(workspace_, same[0]->name, "", task_)) && same.size() == 1) {
      add_only(find_symbols(workspace_, same[0]->name, same[0]->path, task_));
    }
    return true;
  }

  Workspace& workspace_;
  const Task& task_;
  std::vector<RequestWord> words_;
  std::shared_ptr<const SymbolIndex> index_;
  std::optional<std::vector<std::string>> listed_;
  std::vector<Stem> stems_;
  std::set<std::string, std::less<>> known_;
  std::vector<PhraseMatch> matches_;
  size_t looked_up_ = 0;
  Named result_;
};

}  // namespace

// Decides: which plain words of a request are shown as code.
Named named_in(std::string_view request, Workspace& workspace, const Task& task) {
  Named named = Finder(request, workspace, task).find();
  add_problem_places(request, workspace, task, named);
  return named;
}

}  // namespace bodkin
