// Processes that a test's scripts started.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>

// Of the program that wrote its number, and "end", into `file`; waits until it has.
inline pid_t pid_in(const std::string& file) {
  for (;; std::this_thread::sleep_for(std::chrono::milliseconds(1))) {
    std::ifstream in(file);
    pid_t pid = 0;
    std::string end;
    if (in >> pid >> end && end == "end") return pid;
  }
}

// Waits until it has ended, for as long as any test may take; false: it has not.
inline bool is_gone(pid_t pid) {
  const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  for (;; std::this_thread::sleep_for(std::chrono::milliseconds(5))) {
    std::ifstream state("/proc/" + std::to_string(pid) + "/stat");
    std::string number, name, letter;
    if (!(state >> number >> name >> letter) || letter == "Z") return true;
    if (std::chrono::steady_clock::now() > latest) return false;
  }
}
