// A lock for many readers or one writer, made of a mutex and a condition variable (Herlihy and Shavit, The Art of
// Multiprocessor Programming, section 8.3; the problem is of Courtois, Heymans and Parnas, 1971).
//
//   heddle check reader_writer_lock.cpp                     holds
//   heddle check reader_writer_lock.cpp -- -DBUG_...        see below
//
// The data is a plain pair: a writer beside anybody else is a data race.
//
// expect: holds
// expect -DBUG_READERS_IGNORE_WRITER: violated race
// expect -DBUG_WRITER_IGNORES_READERS: violated race
// expect -DBUG_WAIT_ONCE: violated race
// expect -DBUG_NO_NOTIFY: violated deadlock
// expect -DBUG_NOTIFY_FIRST_READER: violated deadlock
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

class ReaderWriterLock {
  std::mutex mutex_;
  std::condition_variable changed_;
  int readers_ = 0;
  bool writer_ = false;

 public:
  void lock_shared() {
    std::unique_lock<std::mutex> lock(mutex_);
#ifndef BUG_READERS_IGNORE_WRITER
    while (writer_) changed_.wait(lock);
#endif
    ++readers_;
  }
  void unlock_shared() {
    std::lock_guard<std::mutex> lock(mutex_);
    --readers_;
#if defined BUG_NOTIFY_FIRST_READER
    if (readers_ == 1) changed_.notify_all();  // wakes the writer too early, and the last reader wakes nobody
#elif !defined BUG_NO_NOTIFY
    if (readers_ == 0) changed_.notify_all();
#endif
  }
  void lock() {
    std::unique_lock<std::mutex> lock(mutex_);
#if defined BUG_WRITER_IGNORES_READERS
    while (writer_) changed_.wait(lock);
#elif defined BUG_WAIT_ONCE
    if (writer_ || readers_ > 0) changed_.wait(lock);  // whoever is woken must look again
#else
    while (writer_ || readers_ > 0) changed_.wait(lock);
#endif
    writer_ = true;
  }
  void unlock() {
    std::lock_guard<std::mutex> lock(mutex_);
    writer_ = false;
    changed_.notify_all();
  }
};

static ReaderWriterLock guard;
static int low, high;

static void update() {
  guard.lock();
  ++low;
  ++high;
  guard.unlock();
}

static void look() {
  guard.lock_shared();
  assert(low == high);
  guard.unlock_shared();
}

int main() {
  std::thread first_writer(update), second_writer(update), reader(look);
  look();
  first_writer.join();
  second_writer.join();
  reader.join();
  assert(low == 2 && high == 2);
}
