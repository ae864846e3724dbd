#define alpha(x) \
  begin(x);      \
  check(x);      \
  done(x)

#define beta(x) \
  begin(x);     \
  check(x);     \
  done(x)

#define gamma(x) \
  begin(x);      \
  check(x);      \
  done(x)
