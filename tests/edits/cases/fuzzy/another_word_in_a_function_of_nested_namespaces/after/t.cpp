namespace box {
namespace inner {

void init_table(table *t) {
  t->size = 0;
  t->first = NULL;
  reserve(t);
  t->ready = 2;
}

}  // namespace inner
}  // namespace box
