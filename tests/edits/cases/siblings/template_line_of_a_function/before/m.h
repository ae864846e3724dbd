#pragma once

template <class A, class B>
auto fmin(A x, B y) noexcept {
  using R = promote<A, B>;
  check<R>();
  return call(x, y);
}
