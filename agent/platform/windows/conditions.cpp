// What std::condition_variable, and all that the library makes of it, waits with. That of
// libwinpthread loses a wake-up now and then: a thread that was told to end waited for ever. The
// linker calls these in its place (--wrap in agent/CMakeLists.txt). Of a condition only a number is
// kept, which each signal increases: who waits sleeps as long as it is the one that they saw with
// the mutex held.
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>

#include "agent/platform/windows/native.h"
//
#include <winternl.h>

extern "C" {

// What WaitOnAddress() and its relatives are made of, which need one more library.
NTSTATUS NTAPI RtlWaitOnAddress(const void* address, const void* seen, SIZE_T size,
                                const LARGE_INTEGER* timeout);
void NTAPI RtlWakeAddressSingle(const void* address);
void NTAPI RtlWakeAddressAll(const void* address);

}  // extern "C"

namespace bodkin::os {

namespace {

std::atomic_ref<pthread_cond_t> signals_of(pthread_cond_t* condition) {
  return std::atomic_ref(*condition);
}

// 0, or ETIMEDOUT after `timeout` (null: never), in the system's negative units of 100 ns.
int wait_for_signal(pthread_cond_t* condition, pthread_mutex_t* mutex,
                    const LARGE_INTEGER* timeout) {
  const pthread_cond_t seen = signals_of(condition);
  if (const int error = ::pthread_mutex_unlock(mutex); error != 0) return error;
  constexpr NTSTATUS kTimeout = 0x102;
  const NTSTATUS status = ::RtlWaitOnAddress(condition, &seen, sizeof seen, timeout);
  const int error = ::pthread_mutex_lock(mutex);
  if (error != 0) return error;
  return status == kTimeout ? ETIMEDOUT : 0;
}

}  // namespace

int own_init(pthread_cond_t* condition, const pthread_condattr_t*) asm("__wrap_pthread_cond_init");
int own_destroy(pthread_cond_t*) asm("__wrap_pthread_cond_destroy");
int own_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) asm("__wrap_pthread_cond_wait");
int own_timed_wait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                   const timespec* end) asm("__wrap_pthread_cond_timedwait");
int own_signal(pthread_cond_t* condition) asm("__wrap_pthread_cond_signal");
int own_broadcast(pthread_cond_t* condition) asm("__wrap_pthread_cond_broadcast");

int own_init(pthread_cond_t* condition, const pthread_condattr_t*) {
  signals_of(condition) = 0;
  return 0;
}

int own_destroy(pthread_cond_t*) { return 0; }

int own_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  return wait_for_signal(condition, mutex, nullptr);
}

// `end`: of the system's clock.
int own_timed_wait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* end) {
  using namespace std::chrono;
  using Units = duration<int64_t, std::ratio<1, 10'000'000>>;
  const auto left =
      seconds(end->tv_sec) + nanoseconds(end->tv_nsec) - system_clock::now().time_since_epoch();
  LARGE_INTEGER timeout{};
  timeout.QuadPart = -std::max<int64_t>(ceil<Units>(left).count(), 0);
  return wait_for_signal(condition, mutex, &timeout);
}

int own_signal(pthread_cond_t* condition) {
  ++signals_of(condition);
  ::RtlWakeAddressSingle(condition);
  return 0;
}

int own_broadcast(pthread_cond_t* condition) {
  ++signals_of(condition);
  ::RtlWakeAddressAll(condition);
  return 0;
}

}  // namespace bodkin::os
