typedef struct {
  int a;
  int b;
  int c;
} order_t;
