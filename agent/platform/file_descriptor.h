// FileDescriptor: an open file that closes itself.
#pragma once

#include <utility>

#include "agent/platform/files.h"

namespace bodkin {

class FileDescriptor {
 public:
  explicit FileDescriptor(int number = -1) : number_(number) {}  // takes it over; -1: none
  FileDescriptor(FileDescriptor&& other) noexcept : number_(other.release()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~FileDescriptor() {
    if (number_ >= 0) os::close(number_);
  }
  int number() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }
  int release() { return std::exchange(number_, -1); }  // the caller closes it

 private:
  int number_;
};

}  // namespace bodkin
