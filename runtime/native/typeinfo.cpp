// Type information: the tables that objects of std::type_info point to, and dynamic_cast.
#include <cstddef>
#include <cstring>
#include <typeinfo>

#include "heddle_runtime.h"

// What the compiler lays out (Itanium C++ ABI, 2.9.5). The first word of each points behind the head of one of the
// tables below, which tells its form; the tables have no functions.
namespace {

struct ClassInfo {
  const void* table;
  const char* name;
};
struct SingleInfo {
  ClassInfo head;
  const ClassInfo* base;
};
struct BaseInfo {
  const ClassInfo* type;
  long flags;  // bit 0: virtual, bit 1: public, from bit 8: offset
};
struct MultipleInfo {
  ClassInfo head;
  unsigned flags, count;
  BaseInfo bases[1];
};

}  // namespace

#define HEDDLE_TABLE(name, symbol)                  \
  extern "C" {                                      \
  extern const void* const name[8] __asm__(symbol); \
  const void* const name[8] = {};                   \
  }
HEDDLE_TABLE(__heddle_class_info, "_ZTVN10__cxxabiv117__class_type_infoE")
HEDDLE_TABLE(__heddle_single_info, "_ZTVN10__cxxabiv120__si_class_type_infoE")
HEDDLE_TABLE(__heddle_multiple_info, "_ZTVN10__cxxabiv121__vmi_class_type_infoE")
HEDDLE_TABLE(__heddle_fundamental_info, "_ZTVN10__cxxabiv123__fundamental_type_infoE")
HEDDLE_TABLE(__heddle_pointer_info, "_ZTVN10__cxxabiv119__pointer_type_infoE")
HEDDLE_TABLE(__heddle_member_info, "_ZTVN10__cxxabiv129__pointer_to_member_type_infoE")
HEDDLE_TABLE(__heddle_function_info, "_ZTVN10__cxxabiv120__function_type_infoE")
HEDDLE_TABLE(__heddle_enum_info, "_ZTVN10__cxxabiv116__enum_type_infoE")
HEDDLE_TABLE(__heddle_array_info, "_ZTVN10__cxxabiv117__array_type_infoE")

namespace {

bool same_type(const ClassInfo* a, const ClassInfo* b) {
  return a == b || a->name == b->name || (a->name[0] != '*' && std::strcmp(a->name, b->name) == 0);
}

// Whom to look for among the public parts of an object, and what was found.
struct Search {
  const ClassInfo* type;
  const char* at;     // only here, unless null
  const char* found;  // where
  unsigned count;
};

void search(const char* object, const ClassInfo* type, Search& wanted) {
  if (same_type(type, wanted.type)) {
    if ((wanted.at == nullptr || wanted.at == object) && object != wanted.found) {
      wanted.found = object;
      ++wanted.count;
    }
    return;
  }
  if (type->table == &__heddle_single_info[2]) {
    search(object, reinterpret_cast<const SingleInfo*>(type)->base, wanted);
  } else if (type->table == &__heddle_multiple_info[2]) {
    const auto* info = reinterpret_cast<const MultipleInfo*>(type);
    for (unsigned i = 0; i < info->count; ++i) {
      const BaseInfo& base = info->bases[i];
      if ((base.flags & 2) == 0) continue;
      std::ptrdiff_t offset = base.flags >> 8;
      if ((base.flags & 1) != 0) {  // where it lies is in the table of functions of the object
        offset = *reinterpret_cast<const std::ptrdiff_t*>(*reinterpret_cast<const char* const*>(object) + offset);
      }
      search(object + offset, base.type, wanted);
    }
  }
}

// The targets that have `part` as a base.
struct Downcast {
  const ClassInfo* source;
  const char* part;
  const ClassInfo* target;
  const char* found;
};

void find_around(const char* object, const ClassInfo* type, Downcast& wanted) {
  if (same_type(type, wanted.target)) {
    Search inside{wanted.source, wanted.part, nullptr, 0};
    search(object, type, inside);
    if (inside.count != 0) wanted.found = object;
    return;
  }
  if (type->table == &__heddle_single_info[2]) {
    find_around(object, reinterpret_cast<const SingleInfo*>(type)->base, wanted);
  } else if (type->table == &__heddle_multiple_info[2]) {
    const auto* info = reinterpret_cast<const MultipleInfo*>(type);
    for (unsigned i = 0; i < info->count; ++i) {
      const BaseInfo& base = info->bases[i];
      std::ptrdiff_t offset = base.flags >> 8;
      if ((base.flags & 1) != 0) {
        offset = *reinterpret_cast<const std::ptrdiff_t*>(*reinterpret_cast<const char* const*>(object) + offset);
      }
      find_around(object + offset, base.type, wanted);
    }
  }
}

}  // namespace

extern "C" void* __dynamic_cast(const void* part, const void* source, const void* target, std::ptrdiff_t) {
  const char* table = *static_cast<const char* const*>(part);
  const auto offset = *reinterpret_cast<const std::ptrdiff_t*>(table - 16);
  const auto* type = *reinterpret_cast<const ClassInfo* const*>(table - 8);
  const char* whole = static_cast<const char*>(part) + offset;
  const auto* to = static_cast<const ClassInfo*>(target);
  Downcast around{static_cast<const ClassInfo*>(source), static_cast<const char*>(part), to, nullptr};
  find_around(whole, type, around);
  if (around.found != nullptr) return const_cast<char*>(around.found);
  Search beside{to, nullptr, nullptr, 0};
  search(whole, type, beside);
  return beside.count == 1 ? const_cast<char*>(beside.found) : nullptr;
}

namespace std {
type_info::~type_info() = default;
}  // namespace std
