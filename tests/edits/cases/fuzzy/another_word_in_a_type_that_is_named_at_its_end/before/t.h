typedef struct {
  int first;

  int count;
  int last;
  int ready;
} table_t;

int other;
