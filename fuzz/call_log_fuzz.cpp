// On arbitrary bytes the reader of call logs gives an error with a position, or calls. Whatever the calls are, they
// leave a valid tree: a round is a ghost iff an edge spans it, no edge spans a committed round, and parents are there
// and below.
#include <cstdint>
#include <cstdlib>

#include "check/refinement/check_call_log.h"
#include "history/call_log.h"
#include "history/source_text.h"
#include "report/json_view.h"

namespace {

using namespace heddle;

using Status = LoggedTree::Status;

void check(const LoggedTree& tree) {
  for (const auto& n : tree.nodes) {
    bool spanned = false;
    for (const auto& e : tree.nodes) {
      spanned |= e.instance == n.instance && e.parent < n.round && n.round < e.round;
    }
    if (spanned != (n.status == Status::GHOST)) std::abort();
    if (n.parent >= n.round || (n.parent != Round{} && tree.find(n.parent, n.instance) == nullptr)) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  history::LineReader lines(text, "input");
  history::CallLogReader log(lines);
  CallLogChecker checker({.same_value = size % 2 == 0});
  LoggedTree tree{.same_value = size % 2 == 0};  // all instances in one
  LoggedCall call;
  try {
    while (log.next(call)) {
      const Answer answer = checker.make(call);
      const Answer whole = call.kind == LoggedCall::Kind::Add ? tree.add(call.round, call.value, call.parent, call.mode)
                           : call.kind == LoggedCall::Kind::Commit ? tree.commit(call.round, call.mode)
                                                                   : tree.decided(call.round, call.value, call.mode);
      if (answer.kind != whole.kind || answer.clause != whole.clause || answer.affected != whole.affected) std::abort();
      if (tree.nodes.size() <= 64) check(tree);
      if (!report::is_json(checker.tree_json(call, 3)) ||
          !report::is_json(call.value.json.empty() ? "0" : call.value.json)) {
        std::abort();
      }
      checker.earlier(call);
    }
  } catch (const history::HistoryError& error) {
    if (!std::string_view(error.what()).starts_with("input:")) std::abort();
  }
  return 0;
}
