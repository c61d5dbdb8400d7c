#include "service.h"

#include <fmt/format.h>

#include <chrono>
#include <exception>
#include <new>
#include <utility>

#include "core/budget.h"
#include "report/page.h"
#include "report/trace_json.h"
#include "run/errors.h"
#include "run/native_door.h"
#include "test_source.h"

namespace heddle::explorer {

Answer refused(unsigned status, const std::string& words) {
  return {.status = status, .type = "text/plain; charset=utf-8", .body = words + "\n"};
}

void Service::ask(const Wish& wish, Reply reply) {
  using Kind = Wish::Kind;
  if (wish.kind == Kind::Page) return reply({.type = "text/html; charset=utf-8", .body = page_});
  if (wish.kind == Kind::Stop) search_.stop();
  if (wish.kind == Kind::Stop || wish.kind == Kind::Progress) return reply({.body = search_.progress()});
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back({wish, std::move(reply)});
  }
  wake_.notify_one();
}

void Service::work() {
  constexpr auto glance = std::chrono::milliseconds(100);  // at Ctrl-C, which wakes nobody
  while (!Budget::interrupted()) {
    std::unique_lock lock(mutex_);
    busy_ = false;
    if (!wake_.wait_for(lock, glance, [&] { return !jobs_.empty(); })) continue;
    const Job job = std::move(jobs_.front());
    jobs_.pop_front();
    busy_ = true;
    lock.unlock();
    job.reply(careful_answer(job.wish));
  }
}

bool Service::busy() const {
  const std::lock_guard lock(mutex_);
  return busy_;
}

Answer Service::careful_answer(const Wish& wish) {
  constexpr unsigned failed = 500;
  try {
    return answer(wish);
  } catch (const Refusal& refusal) {
    return refused(refusal.status(), refusal.what());
  } catch (const std::bad_alloc&) {
    return refused(failed, "There is not enough memory to look at this state.");
  } catch (const std::exception& error) {
    return refused(failed, error.what());
  } catch (...) {
    return refused(failed, "The model threw something that is no std::exception; throw one with a message.");
  }
}

Answer Service::answer(const Wish& wish) {
  switch (wish.kind) {
    case Wish::Kind::Look: {
      Answer shown{.body = exploration_.look(wish.position)};
      ++looks_;
      return shown;
    }
    case Wish::Kind::Trace:
      return {.body = report::to_json(exploration_.trace(wish.position))};
    case Wish::Kind::Test: {
      const trace::Trace trace = exploration_.trace(wish.position);
      const auto file = trace.options.find("file");
      const bool program = file != trace.options.end() && run::is_program_file(file->second);
      return {.type = "text/plain; charset=utf-8", .body = test_source(trace, program)};
    }
    case Wish::Kind::Search:
      search_.start();
      return {.body = search_.progress()};
    case Wish::Kind::Adopt: {
      const auto trace = search_.found(wish.finding);
      if (!trace) throw Refusal(404, "The search has found no such run, or another one has been started since.");
      const Position position = exploration_.position_of(*trace);
      return {.body = fmt::format("{{\"initial\": {}, \"path\": [{}]}}\n", position.initial,
                                  fmt::join(position.choices, ", "))};
    }
    case Wish::Kind::Page:
    case Wish::Kind::Stop:
    case Wish::Kind::Progress:
      break;
  }
  throw Refusal(404, "There is nothing under this address.");
}

std::string live_page(const std::string& page) {
  std::string out = report::with_finding(page, R"({"format": "heddle-live", "version": 1})");
  const std::string policy = "default-src 'none';";
  const std::size_t at = out.find(policy);
  if (at == std::string::npos)
    throw run::ComponentError("the page of reports is damaged; build the component web again");
  return out.insert(at + policy.size(), " connect-src 'self';");
}

}  // namespace heddle::explorer
