// receipt: adds up what was bought. One line "name;cents;count" for each article on standard input.
#include <iostream>
#include <optional>
#include <string>

namespace {

struct Article {
  std::string name;
  int cents = 0;
  int count = 0;
};

class Receipt {
 public:
  // Reads "name;cents;count".
  static Article parse(const std::string& line) {
    const size_t first = line.find(';');
    const size_t second = line.find(';', first + 1);
    Article article;
    article.name = line.substr(0, first);
    article.cents = std::stoi(line.substr(first + 1, second - first - 1));
    article.count = std::stoi(line.substr(second + 1));
    return article;
  }

  void add(const Article& article) { total_ += article.cents * article.count; }
  int total() const { return total_; }

 private:
  int total_ = 0;
};

}  // namespace

int main() {
  Receipt receipt;
  for (std::string line; std::getline(std::cin, line);) {
    receipt.add(Receipt::parse(line));
  }
  std::cout << receipt.total() << " cents\n";
}
