typedef struct {
  int first;

  int count;
  int last;
  long ready;
} table_t;

int other;
