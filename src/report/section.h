// A section is what an engine or a command adds to the report of a run: fields of the JSON object, lines before the
// closing line, and words in it. A new engine adds a section; RunReport, the object and the closing line do not change.
//
//   struct QueryReport final : SectionOf<QueryReport> {
//     std::uint64_t queries = 0;
//     std::vector<JsonField> fields(const RunReport&) const override { return {{"queries", std::to_string(queries)}}; }
//   };
//   report.sections.at<QueryReport>().queries = 3;
//
// The object begins with the verdict and the text ends with it. So the fields of sections come in the order of their
// places, and their lines in the reverse order. A report has at most one section of a type.
// Thread-safe like plain data: reading is, changing is not.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::report {

struct RunReport;

struct JsonField {
  std::string key;
  std::string json;  // one JSON value; lines after its first are indented by at least two spaces
};

// A section's share of the closing line. Empty: none.
struct ClosingWords {
  std::string subject = {};  // what the verdict is about, instead of the properties and states of a search
  std::string remark = {};   // stands before what the run cost
  std::string files = {};    // stands after it: what was written
};

class Section {
 public:
  // Where the section's fields stand in the object. Sections with the same place stand in the order of being added.
  enum class Place : std::uint8_t { Verdict, Failure, Coverage, Refinement, Calls, Schedulers, Last };

  virtual ~Section() = default;
  virtual std::unique_ptr<Section> clone() const = 0;
  virtual Place place() const { return Place::Last; }
  virtual std::vector<JsonField> fields(const RunReport& run) const = 0;
  // Returns lines for people, without the last newline. They are printed if the command ended by itself.
  virtual std::string text(const RunReport& /*run*/) const { return ""; }
  virtual ClosingWords closing_words(const RunReport& /*run*/) const { return {}; }

 protected:
  Section() = default;
  Section(const Section&) = default;
  Section& operator=(const Section&) = default;
};

template <class Derived>
class SectionOf : public Section {
 public:
  std::unique_ptr<Section> clone() const override {
    return std::make_unique<Derived>(static_cast<const Derived&>(*this));
  }
};

// The sections of a report, ascending by place. Copies are deep.
class Sections {
 public:
  Sections() = default;
  Sections(const Sections& other);
  Sections& operator=(const Sections& other);
  Sections(Sections&&) = default;
  Sections& operator=(Sections&&) = default;
  ~Sections() = default;

  // Returns null if there is no section of this type.
  template <class S>
  const S* find() const {
    for (const auto& one : all_) {
      if (const S* found = dynamic_cast<const S*>(one.get())) return found;
    }
    return nullptr;
  }
  // Adds an empty section if there is none of this type.
  template <class S>
  S& at() {
    for (const auto& one : all_) {
      if (S* found = dynamic_cast<S*>(one.get())) return *found;
    }
    return static_cast<S&>(add(std::make_unique<S>()));
  }
  // Replaces the section of this type, or removes it if there is no value.
  template <class S>
  void set(std::optional<S> section) {
    std::erase_if(all_, [](const auto& one) { return dynamic_cast<const S*>(one.get()) != nullptr; });
    if (section) add(std::make_unique<S>(*std::move(section)));
  }

  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

 private:
  Section& add(std::unique_ptr<Section> section);

  std::vector<std::unique_ptr<Section>> all_;
};

// Returns the texts that the sections print before the closing line; none is empty.
std::vector<std::string> texts(const RunReport& run);

}  // namespace heddle::report
