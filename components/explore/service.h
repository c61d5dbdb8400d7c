// Answers what windows ask for: what needs the model in the main thread, one request after the other, and the rest at
// once.
//
//   Service service(exploration, search, page);
//   service.ask(wish, reply);         // from the server's thread; `reply` is called once, from either thread
//   service.work();                   // the main thread: until Ctrl-C
//
// The user's code runs in the main thread only. If it crashes there, the program starts again (core/user_code.h).
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>

#include "exploration.h"
#include "request.h"
#include "search_process.h"

namespace heddle::explorer {

struct Answer {
  unsigned status = 200;
  std::string type = "application/json";
  std::string body;
};

// A sentence.
Answer refused(unsigned status, const std::string& words);

class Service {
 public:
  using Reply = std::function<void(Answer)>;

  // `page` is what a window loads. REQUIRES: `exploration` and `search` outlive the service.
  Service(Exploration& exploration, SearchProcess& search, std::string page)
      : exploration_(exploration), search_(search), page_(std::move(page)) {}

  void ask(const Wish& wish, Reply reply);
  void work();
  // States that were shown.
  std::uint64_t looks() const { return looks_; }
  // Whether the main thread is in the middle of an answer.
  bool busy() const;

 private:
  struct Job {
    Wish wish;
    Reply reply;
  };
  Answer answer(const Wish& wish);
  Answer careful_answer(const Wish& wish);

  Exploration& exploration_;
  SearchProcess& search_;
  const std::string page_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job> jobs_;
  bool busy_ = false;
  std::uint64_t looks_ = 0;
};

// The page of reports as a window of the explorer: without a finding, and allowed to ask the server it came from.
std::string live_page(const std::string& page);

}  // namespace heddle::explorer
