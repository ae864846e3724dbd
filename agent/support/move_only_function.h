// MoveOnlyFunction: std::move_only_function (C++23), which libc++ does not have.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace bodkin {

template <class Signature>
class MoveOnlyFunction;

template <class Value, class... Arguments>
class MoveOnlyFunction<Value(Arguments...)> {
 public:
  MoveOnlyFunction() = default;
  MoveOnlyFunction(std::nullptr_t) {}
  template <class Callable>
  requires(!std::same_as<std::remove_cvref_t<Callable>, MoveOnlyFunction> &&
           std::is_invocable_r_v<Value, std::decay_t<Callable>&, Arguments...>)
      MoveOnlyFunction(Callable&& callable)
      : held_(std::make_unique<Held<std::decay_t<Callable>>>(std::forward<Callable>(callable))) {}

  explicit operator bool() const { return held_ != nullptr; }
  // Only of one that is not empty.
  Value operator()(Arguments... arguments) {
    return held_->call(std::forward<Arguments>(arguments)...);
  }

 private:
  struct AnyHeld {
    virtual ~AnyHeld() = default;
    virtual Value call(Arguments... arguments) = 0;
  };
  template <class Callable>
  struct Held final : AnyHeld {
    template <class From>
    explicit Held(From&& from) : callable(std::forward<From>(from)) {}
    Value call(Arguments... arguments) override {
      return callable(std::forward<Arguments>(arguments)...);
    }
    Callable callable;
  };

  std::unique_ptr<AnyHeld> held_;
};

}  // namespace bodkin
