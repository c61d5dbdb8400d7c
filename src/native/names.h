// Objects, their parts and their values as they are called in the source, by what debug information says of types.
//
//   Names names(image, variables, find);
//   names.object({0, 5});            // "queue", "Node 0.4", "object 0.6"
//   names.part({0, 4}, 8, 8);        // "->next", ".slots[2].key", "+8"
//   names.value({0, 4}, bytes, "");  // {"key": 1, "next": null}
//
// A name is that of one object in all states of a run. A global has its own, and the object of a harness that of its
// class. A local variable has its own if it is the main thread's and can exist only once; other objects have the name
// of their variable or type, and their label behind it. So an object is called the same wherever it is mentioned.
// Not thread-safe: Names remembers what it was asked. Variables is constant.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "native/machine.h"

namespace heddle::native {

// Which local variables exist at most once in the main thread.
class Variables {
 public:
  explicit Variables(const Image& image);
  bool is_single(const Image& image, Site made) const;
  // The globals of that name: more than one if they are static variables of several blocks or files.
  const std::vector<std::uint32_t>& globals_called(std::uint32_t name) const { return globals_.at(name); }

 private:
  std::vector<bool> recursive_;                                  // by function
  std::map<std::uint32_t, std::uint32_t> locals_;                // by name: how many variables have it
  std::map<std::uint32_t, std::vector<std::uint32_t>> globals_;  // by name
};

class Names {
 public:
  // `find` returns an object as it is in the states that are described, if it is there. `subject` is the object of a
  // harness. All outlive this object.
  Names(const Image& image, const Variables& variables, std::optional<Label> subject,
        std::function<std::optional<Object>(Label)> find)
      : image_(image), variables_(variables), subject_(subject), find_(std::move(find)) {}

  std::string object(Label label);
  // Of `size` bytes at `offset`; empty for the whole object. `size` 0: what begins there, if anything does.
  std::string part(Label label, std::uint32_t offset, std::uint32_t size);
  // The object of a library, a lock say, that lies there; without the place in it.
  std::string thing_at(Label label, std::uint32_t offset);
  // A word: a number, or what a pointer mentions.
  std::string word(Word word);
  // As JSON: of a whole object, and of bytes at an offset in it. `undefined` is the shadow of the bytes, or empty.
  std::string value(Label label, std::string_view bytes, std::string_view undefined);
  std::string value(Label label, std::uint32_t offset, std::string_view bytes, std::string_view undefined);

 private:
  struct Known {
    std::uint32_t type = none;  // of one element
    std::uint32_t size = 0;     // of the whole object
    Site made;
    ObjectKind kind = ObjectKind::Stack;
  };
  // The part that an access is about: its type, and where in it the access begins.
  struct Part {
    std::string path;
    std::uint32_t type = none;
    std::uint32_t offset = 0;
    std::vector<const TypeMember*> fields = {};  // bit-fields of `type` that share the bytes
  };

  const Known& known(Label label);
  std::uint32_t size_of(Label label) { return known(label).size; }
  bool stands_alone(Label label, const Known& object) const;
  Part find_part(Label label, std::uint32_t offset, std::uint32_t size);
  bool step_into(Part& part, std::uint32_t size, bool arrow) const;
  void find_fields(Part& part, std::uint32_t size, bool arrow) const;
  std::string field(const TypeMember& member, std::uint32_t from, std::string_view bytes, std::string_view undefined);
  std::string typed(std::uint32_t index, std::string_view bytes, std::string_view undefined, std::size_t& leaves);
  std::string elements(std::uint32_t type, std::string_view bytes, std::string_view undefined, std::size_t& leaves);
  std::string scalar(const Type& type, Word bits);
  std::string untyped(std::string_view bytes, std::string_view undefined);

  const Image& image_;
  const Variables& variables_;
  const std::optional<Label> subject_;
  const std::function<std::optional<Object>(Label)> find_;
  std::map<Label, Known> known_;
};

}  // namespace heddle::native
