// Regular storage (Attiya, Bar-Noy, Dolev 1995, without write-back), as in Bokor's thesis: a writer writes once,
// readers read at most once, from objects of which a minority may fail.
//
// Granularity: sending to all objects is one step; ending an operation consumes the majority of answers it needs
// at once.
// `regularity`: a read that began after the write had ended returns the written value. A ghost variable keeps
// whether it did. monitor=no leaves the variable out, for counts of the bare protocol; nothing is checked then.
// Objects that crash need not be modelled: they are objects that answer late.
#include <heddle/heddle.h>

#include <algorithm>
#include <optional>

namespace {

using namespace heddle;

struct Version {
  int timestamp = 0, value = 0;
};
struct Write {
  Version version;
};
struct Ack {};
struct Read {};
struct Current {
  Version version;
};
struct Reader;

struct Monitor {
  bool write_ended = false;
  IdSet<Reader> obliged;  // must return the written value
};

struct Object {
  Version version;

  void store(const Write& w, Reply<Ack> out) {
    if (w.version.timestamp > version.timestamp) version = w.version;
    out.send({});
  }
  void show(const Read&, Reply<Current> out) { out.send({version}); }
  static constexpr auto transitions = heddle::transitions<&Object::store, &Object::show>;
};

enum class Phase { idle, waiting, done };

struct Enough {
  static std::size_t size(std::size_t objects, const Run& run) {
    return run.bug("one_answer") ? 1 : Majority::size(objects);
  }
};

struct Writer {
  Phase phase = Phase::idle;

  void begin(ToAll<Object, Write> out) {
    require(phase == Phase::idle);
    phase = Phase::waiting;
    out.send({{.timestamp = 1, .value = 1}});
  }
  void end(const Quorum<Ack, Object>&, Ghost<Monitor>& monitor, const Run& run) {
    require(phase == Phase::waiting);
    phase = Phase::done;
    monitor->write_ended = run.text("monitor") == "yes";
  }
  static constexpr auto transitions = heddle::transitions<&Writer::begin, &Writer::end>;
};

struct Reader {
  Phase phase = Phase::idle;
  std::optional<int> returned;

  void begin(Id<Reader> self, const Run& run, Ghost<Monitor>& monitor, ToAll<Object, Read> out) {
    require(phase == Phase::idle);
    phase = Phase::waiting;
    if (monitor->write_ended && !run.bug("wrong_regularity")) monitor->obliged.insert(self);
    out.send({});
  }
  void end(const Quorum<Current, Object, Enough>& answers, Id<Reader> self, const Run& run, Ghost<Monitor>& monitor) {
    require(phase == Phase::waiting);
    phase = Phase::done;
    Version newest;
    for (const auto& a : answers) {
      if (a->version.timestamp > newest.timestamp) newest = a->version;
    }
    returned = newest.value;
    if (monitor->write_ended && run.bug("wrong_regularity")) monitor->obliged.insert(self);
  }
  static constexpr auto transitions = heddle::transitions<&Reader::begin, &Reader::end>;
};

const Register storage({
    .name = "storage",
    .summary = "regular storage: one writer, several readers, replicated objects",
    .parameters = {{"objects", 3, 1, 9, "objects that store the value"},
                   {"readers", 1, 0, 8, "readers, each reads once"},
                   {"monitor", {"yes", "no"}, "watch whether a read begins after the write ended"}},
    .bugs = {{"wrong_regularity",
              "regularity",
              {{"objects", "1"}},
              "demands the new value of every read that ends after the write"},
             {"one_answer", "regularity", {}, "a read ends with the first answer"}},
    .expected = {{{}, 595, 1563, 48, "own count"}, {{{"monitor", "no"}}, 496, 1368, 36, "own count"}},
    .build =
        [](Model& m) {
          const auto count = [&](const char* role) { return static_cast<std::size_t>(m.run()[role]); };
          m.ghost<Monitor>();
          // The ghost variable is only observed; no guard depends on it.
          m.annotate<&Writer::begin>(reads<&Writer::phase>, writes<&Writer::phase>);
          m.annotate<&Writer::end>(reads<&Writer::phase>, writes<&Writer::phase>);
          m.annotate<&Reader::begin>(reads<&Reader::phase>, writes<&Reader::phase>);
          m.annotate<&Reader::end>(reads<&Reader::phase>, writes<&Reader::phase, &Reader::returned>);
          m.annotate<&Object::store>(reads<>, writes<&Object::version>);
          m.annotate<&Object::show>(reads<>, writes<>);
          m.add<Writer>();
          m.add<Reader>(count("readers"));
          m.add<Object>(count("objects"));
          m.always("regularity", [](const View& v) {
            const auto monitor = v.ghost<Monitor>();
            return std::ranges::none_of(v.ids<Reader>(), [&](Id<Reader> r) {
              return monitor.obliged.contains(r) && v.at<Reader>(r).returned == 0;
            });
          });
        },
});

}  // namespace
