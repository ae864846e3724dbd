=== an overload is told by its head
--- file
namespace n {

int f(int a) {
  return a;
}

int f(double a) {
  return 2;
}

}  // namespace n
--- sketch
// ... existing code ...

int f(double a) {
  return 3;
}

// ... existing code ...
--- result
namespace n {

int f(int a) {
  return a;
}

int f(double a) {
  return 3;
}

}  // namespace n
=== an overload that nothing names is neither new nor changed
--- file
int f(int a) {
  return a;
}

int f(double a) {
  return 2;
}
--- sketch
// ... existing code ...
int f(long a) {
  return 3;
}
--- refused: may be line

=== nested classes, and a comment before a function is replaced
--- file
class Outer {
 public:
  class Inner {
   public:
    // Old words.
    int size() const { return 1; }
    int other() const { return 1; }
  };

  int size() const {
    return 2;
  }
};
--- sketch
class Outer {
 // ... existing code ...
  class Inner {
    // ... existing code ...
    // New words.
    int size() const { return 10; }
    // ... existing code ...
  };
  // ... existing code ...
};
--- refused: its place is not clear

=== a namespace that is not shown, an include, and a method without its class
--- file
#include "a.h"
#include "c.h"

namespace n {

class A {
 public:
  int size() const {
    return 1;
  }

  void stop() {
    halt();
  }
};

}  // namespace n
--- sketch
#include "a.h"
#include "b.h"
// ... existing code ...

int size() const {
  return 2;
}

void start() {
  go();
}
// ... existing code ...
--- refused: may be line
