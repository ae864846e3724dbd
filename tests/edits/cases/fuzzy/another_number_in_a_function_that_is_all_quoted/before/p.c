#include "b.h"

static int count_pages(book *b) {
  for (int i = 24; i <= b->last; i++) {
    page p = b->pages[i];
    add(&p, 1);
  }
}
