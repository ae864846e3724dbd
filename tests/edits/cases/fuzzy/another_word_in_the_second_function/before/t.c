static void drop_table(table *t) {
  free(t->rows);
  t->rows = NULL;
}

static void init_table(table *t) {
  t->size = 0;
  t->first = NULL;
  reserve(t);
  t->ready = 1;
}
