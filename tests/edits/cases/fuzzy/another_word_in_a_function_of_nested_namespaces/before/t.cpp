namespace box {
namespace inner {

void init_table(table *t) {
  t->size = 0;
  t->first = NULL;
  reserve(t);
  t->ready = 1;
}

}  // namespace inner
}  // namespace box
