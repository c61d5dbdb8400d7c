// std::thread, std::condition_variable and what goes with them.
#include <cxxabi.h>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "heddle_runtime.h"

// Made by heddle-lower for each program.
extern "C" void __heddle_leave_thread(void);

namespace {

void* run_cxx_thread(void* record) {
  auto* state = static_cast<std::thread::_State*>(record);
  state->_M_run();
  delete state;
  __heddle_leave_thread();
  return nullptr;
}

}  // namespace

namespace std {

thread::_State::~_State() = default;

void thread::_M_start_thread(_State_ptr state, void (*)()) {
  const uint32_t number = __heddle_spawn(run_cxx_thread, state.release());
  if (number == UINT32_MAX) __heddle_error(heddle_unsupported, "starts more threads than are possible");
  _M_id = id(static_cast<pthread_t>(number) + 1);
}

void thread::join() {
  if (!joinable()) __heddle_error(heddle_terminate, "joins a std::thread that is not joinable");
  __heddle_join_thread(static_cast<uint32_t>(_M_id._M_thread) - 1);
  _M_id = id();
}

void thread::detach() {
  if (!joinable()) __heddle_error(heddle_terminate, "detaches a std::thread that is not joinable");
  _M_id = id();
}

unsigned int thread::hardware_concurrency() noexcept { return 2; }

namespace this_thread {
void __sleep_for(chrono::seconds, chrono::nanoseconds) { __heddle_yield(); }
}  // namespace this_thread

condition_variable::condition_variable() noexcept = default;
condition_variable::~condition_variable() noexcept = default;
void condition_variable::wait(unique_lock<mutex>& lock) {
  pthread_cond_wait(native_handle(), lock.mutex()->native_handle());
}
void condition_variable::notify_one() noexcept { pthread_cond_signal(native_handle()); }
void condition_variable::notify_all() noexcept { pthread_cond_broadcast(native_handle()); }

namespace {
struct AtExit {
  condition_variable* condition;
  mutex* locked;
};
}  // namespace
void notify_all_at_thread_exit(condition_variable& condition, unique_lock<mutex> lock) {
  abi::__cxa_thread_atexit(
      [](void* given) {
        AtExit* const what = static_cast<AtExit*>(given);
        what->locked->unlock();
        what->condition->notify_all();
        delete what;
      },
      new AtExit{&condition, lock.release()}, nullptr);
}

namespace chrono {
inline namespace _V2 {
system_clock::time_point system_clock::now() noexcept { return time_point(seconds(__heddle_now())); }
steady_clock::time_point steady_clock::now() noexcept { return time_point(seconds(__heddle_now())); }
}  // namespace _V2
}  // namespace chrono

// std::atomic_load(&shared_ptr) and its relatives: one lock for all.
static int shared_pointers;
_Sp_locker::_Sp_locker(const void*) noexcept : _M_key1(0), _M_key2(0) { pthread_spin_lock(&shared_pointers); }
_Sp_locker::_Sp_locker(const void*, const void*) noexcept : _M_key1(0), _M_key2(0) {
  pthread_spin_lock(&shared_pointers);
}
_Sp_locker::~_Sp_locker() { pthread_spin_unlock(&shared_pointers); }

// std::call_once hands its function over in these.
__thread void* __once_callable;
__thread void (*__once_call)();
extern "C" void __once_proxy() { __once_call(); }

}  // namespace std
