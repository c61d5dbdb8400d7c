#include "types.h"

#include <algorithm>
#include <set>

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IntrinsicInst.h"

namespace heddle::lower {
namespace {

using native::none;
using native::Type;

constexpr const char* allocation_metadata = "heapallocsite";  // clang's, on what `new T` calls

// Without what says nothing about the value: typedefs, const, volatile, _Atomic.
const llvm::DIType* plain(const llvm::DIType* type) {
  while (const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
    switch (derived->getTag()) {
      case llvm::dwarf::DW_TAG_typedef:
      case llvm::dwarf::DW_TAG_const_type:
      case llvm::dwarf::DW_TAG_volatile_type:
      case llvm::dwarf::DW_TAG_restrict_type:
      case llvm::dwarf::DW_TAG_atomic_type:
        type = derived->getBaseType();
        break;
      default:
        return type;
    }
  }
  return type;
}

const llvm::DIType* pointee(const llvm::DIType* type) {
  const auto* pointer = llvm::dyn_cast_or_null<llvm::DIDerivedType>(plain(type));
  if (pointer == nullptr || pointer->getTag() != llvm::dwarf::DW_TAG_pointer_type) return nullptr;
  return plain(pointer->getBaseType());
}

// Of a class without data, of which an object may take up no room.
bool is_empty(const llvm::DIType* type) {
  const auto* whole = llvm::dyn_cast_or_null<llvm::DICompositeType>(plain(type));
  if (whole == nullptr || whole->isForwardDecl()) return false;
  const unsigned tag = whole->getTag();
  if (tag != llvm::dwarf::DW_TAG_class_type && tag != llvm::dwarf::DW_TAG_structure_type) return false;
  return std::ranges::all_of(whole->getElements(), [](const llvm::DINode* node) {
    const auto* member = llvm::dyn_cast_or_null<llvm::DIDerivedType>(node);
    if (member == nullptr || member->isStaticMember()) return true;
    const bool part =
        member->getTag() == llvm::dwarf::DW_TAG_member || member->getTag() == llvm::dwarf::DW_TAG_inheritance;
    return !part || (!member->isVirtual() && is_empty(member->getBaseType()));
  });
}

// What a member without a name is called: an anonymous union by what is in it.
std::string name_of(const llvm::DIDerivedType& member) {
  const auto* inside = llvm::dyn_cast_or_null<llvm::DICompositeType>(plain(member.getBaseType()));
  if (!member.getName().empty() || inside == nullptr) return member.getName().str();
  std::string out;
  for (const llvm::DINode* node : inside->getElements()) {
    const auto* one = llvm::dyn_cast_or_null<llvm::DIDerivedType>(node);
    if (one == nullptr || one->getTag() != llvm::dwarf::DW_TAG_member || one->getName().empty()) continue;
    out += (out.empty() ? "" : "|") + one->getName().str();
  }
  return out;
}

bool is_scalar_size(std::uint64_t size) { return size == 1 || size == 2 || size == 4 || size == 8; }

}  // namespace

std::uint32_t Types::add(Type type) {
  std::uint32_t depth = 0;
  if (type.element != none) depth = depths_[type.element];
  for (const native::TypeMember& member : type.members) depth = std::max(depth, depths_[member.type]);
  if (++depth > Type::max_depth || type.size == 0) return none;
  image_.types.push_back(std::move(type));
  depths_.push_back(depth);
  return static_cast<std::uint32_t>(image_.types.size() - 1);
}

std::uint32_t Types::opaque(const std::string& name, std::uint64_t size) {
  if (size > native::Label::max_size) return none;
  Type out;
  if (!name.empty()) out.name = places_.text(name);
  out.size = static_cast<std::uint32_t>(size);
  return add(std::move(out));
}

std::uint32_t Types::scalar(const llvm::DIBasicType& type) {
  const std::uint64_t size = type.getSizeInBits() / 8;
  if (!is_scalar_size(size)) return opaque(type.getName().str(), size);
  Type out;
  out.name = places_.text(type.getName().str());
  out.size = static_cast<std::uint32_t>(size);
  switch (type.getEncoding()) {
    case llvm::dwarf::DW_ATE_boolean:
      out.kind = Type::Kind::Boolean;
      break;
    case llvm::dwarf::DW_ATE_float:
      out.kind = size >= 4 ? Type::Kind::Floating : Type::Kind::Opaque;
      break;
    case llvm::dwarf::DW_ATE_signed:
    case llvm::dwarf::DW_ATE_signed_char:
      out.kind = Type::Kind::Signed;
      break;
    case llvm::dwarf::DW_ATE_unsigned:
    case llvm::dwarf::DW_ATE_unsigned_char:
    case llvm::dwarf::DW_ATE_UTF:
      out.kind = Type::Kind::Unsigned;
      break;
    default:
      break;
  }
  return add(std::move(out));
}

std::uint32_t Types::enumeration(const llvm::DICompositeType& type) {
  const std::uint64_t size = type.getSizeInBits() / 8;
  if (!is_scalar_size(size)) return none;
  Type out;
  if (!type.getName().empty()) out.name = places_.text(type.getName().str());
  out.size = static_cast<std::uint32_t>(size);
  const auto* underlying = llvm::dyn_cast_or_null<llvm::DIBasicType>(plain(type.getBaseType()));
  const bool is_signed = underlying != nullptr && underlying->getSignedness() == llvm::DIBasicType::Signedness::Signed;
  out.kind = is_signed ? Type::Kind::Signed : Type::Kind::Unsigned;
  for (const llvm::DINode* node : type.getElements()) {
    const auto* one = llvm::dyn_cast<llvm::DIEnumerator>(node);
    if (one == nullptr) continue;
    const llvm::APInt value = one->getValue().sextOrTrunc(64);
    out.enumerators.push_back({value.getZExtValue(), places_.text(one->getName().str())});
  }
  return add(std::move(out));
}

// The last subrange is the innermost: int a[2][3] has two elements of three.
std::uint32_t Types::array(const llvm::DICompositeType& type) {
  if (type.isVector()) return opaque("", type.getSizeInBits() / 8);
  std::uint32_t out = of(type.getBaseType());
  const llvm::DINodeArray ranges = type.getElements();
  for (unsigned i = ranges.size(); i-- > 0 && out != none;) {
    const auto* range = llvm::dyn_cast<llvm::DISubrange>(ranges[i]);
    const auto* count = range == nullptr ? nullptr : llvm::dyn_cast_if_present<llvm::ConstantInt*>(range->getCount());
    if (count == nullptr || count->getSExtValue() < 1) return none;
    const std::uint64_t size = image_.types[out].size * count->getZExtValue();
    if (count->getZExtValue() > native::Label::max_size || size > native::Label::max_size) return none;
    Type each;
    each.kind = Type::Kind::Array;
    each.size = static_cast<std::uint32_t>(size);
    each.element = out;
    out = add(std::move(each));
  }
  return out;
}

// The members, those of base classes among them, that take up room. False: where some of them lie is not known.
bool Types::collect(const llvm::DICompositeType& type, std::uint64_t offset, std::vector<Member>& out) {
  for (const llvm::DINode* node : type.getElements()) {
    const auto* member = llvm::dyn_cast_or_null<llvm::DIDerivedType>(node);
    if (member == nullptr || member->isStaticMember() || member->isArtificial()) continue;
    if (is_empty(member->getBaseType())) continue;
    const std::uint64_t at = offset + member->getOffsetInBits() / 8;
    const auto* whole = llvm::dyn_cast_or_null<llvm::DICompositeType>(plain(member->getBaseType()));
    if (member->getTag() == llvm::dwarf::DW_TAG_inheritance) {
      if (member->isVirtual() || whole == nullptr || whole->isForwardDecl()) return false;
      const std::uint32_t base = of(whole);
      // The base class is shown by its members, unless they say nothing.
      if (base == none || image_.types[base].kind == Type::Kind::Struct) {
        if (!collect(*whole, at, out)) return false;
      } else {
        out.push_back({whole->getName().str(), {}, at, base});
      }
    } else if (member->getTag() == llvm::dwarf::DW_TAG_member) {
      if (member->getName().empty() && whole != nullptr && whole->getTag() == llvm::dwarf::DW_TAG_structure_type) {
        if (!collect(*whole, at, out)) return false;
        continue;
      }
      out.push_back({name_of(*member), type.getName().str(), at, of(member->getBaseType())});
      if (!member->isBitField()) continue;
      out.back().bit = static_cast<std::uint32_t>(member->getOffsetInBits() % 8);
      out.back().bits = static_cast<std::uint32_t>(member->getSizeInBits());
      if (out.back().type == none || out.back().bit + out.back().bits > 64) out.pop_back();
    }
  }
  return true;
}

// Members of unknown type become opaque up to the next member. What overlaps another one is left out.
void Types::fill_gaps(std::vector<Member>& members, std::uint64_t size) {
  const auto begin = [](const Member& x) { return 8 * x.offset + x.bit; };
  const auto end = [&](const Member& x) {
    return begin(x) + (x.bits != 0 ? x.bits : x.type == none ? 8 : 8 * std::uint64_t{image_.types[x.type].size});
  };
  std::ranges::stable_sort(members, {}, begin);
  std::vector<Member> out;
  for (Member& one : members) {
    if (end(one) <= 8 * size && (out.empty() || end(out.back()) <= begin(one))) out.push_back(std::move(one));
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i].type != none) continue;
    out[i].type = opaque("", (i + 1 < out.size() ? out[i + 1].offset : size) - out[i].offset);
  }
  std::erase_if(out, [](const Member& one) { return one.type == none; });
  members = std::move(out);
}

std::uint32_t Types::composite(const llvm::DICompositeType& type) {
  const std::uint64_t size = type.getSizeInBits() / 8;
  const std::string name = type.getName().str();
  if (type.isForwardDecl() || size > native::Label::max_size) return none;
  std::vector<Member> members;
  if (type.getTag() == llvm::dwarf::DW_TAG_union_type || !collect(type, 0, members)) return opaque(name, size);
  fill_gaps(members, size);
  if (places_.is_library(type)) {
    const bool one = members.size() == 1 && members[0].offset == 0 && image_.types[members[0].type].size == size;
    if (one) return members[0].type;
    const bool hidden =
        std::ranges::any_of(members, [](const Member& x) { return x.name.empty() || x.name.starts_with('_'); });
    if (hidden || members.empty()) return opaque(name, size);
  }
  Type out;
  if (!name.empty()) out.name = places_.text(name);
  out.kind = Type::Kind::Struct;
  out.size = static_cast<std::uint32_t>(size);
  for (const Member& member : members) {
    const bool twice = std::ranges::count(members, member.name, &Member::name) > 1 && !member.owner.empty();
    out.members.push_back({places_.text(twice ? member.owner + "::" + member.name : member.name),
                           static_cast<std::uint32_t>(member.offset), member.type, member.bit, member.bits});
  }
  return add(std::move(out));
}

std::uint32_t Types::make(const llvm::DIType& type) {
  if (const auto* basic = llvm::dyn_cast<llvm::DIBasicType>(&type)) return scalar(*basic);
  if (const auto* derived = llvm::dyn_cast<llvm::DIDerivedType>(&type)) {
    switch (derived->getTag()) {
      case llvm::dwarf::DW_TAG_pointer_type:
      case llvm::dwarf::DW_TAG_reference_type:
      case llvm::dwarf::DW_TAG_rvalue_reference_type: {
        Type out;
        out.kind = Type::Kind::Pointer;
        out.size = 8;
        return add(std::move(out));
      }
      default:
        return opaque("", derived->getSizeInBits() / 8);
    }
  }
  const auto* whole = llvm::dyn_cast<llvm::DICompositeType>(&type);
  if (whole == nullptr) return none;
  switch (whole->getTag()) {
    case llvm::dwarf::DW_TAG_enumeration_type:
      return enumeration(*whole);
    case llvm::dwarf::DW_TAG_array_type:
      return array(*whole);
    default:
      return composite(*whole);
  }
}

std::uint32_t Types::of(const llvm::DIType* type) {
  type = plain(type);
  if (type == nullptr) return none;
  const auto known = known_.find(type);
  if (known != known_.end()) return known->second;
  known_[type] = none;  // a type does not contain itself
  return known_[type] = make(*type);
}

std::uint32_t Types::sized(const llvm::DIType* type, std::uint64_t size) {
  const std::uint32_t out = of(type);
  return out != none && image_.types[out].size == size ? out : none;
}

std::uint32_t Types::of(const llvm::GlobalVariable& global, std::uint64_t size) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> found;
  global.getDebugInfo(found);
  return found.empty() ? none : sized(found.front()->getVariable()->getType(), size);
}

std::uint32_t Types::of(const llvm::AllocaInst& object, std::uint64_t size) {
  auto* value = const_cast<llvm::AllocaInst*>(&object);
  for (const llvm::DbgVariableRecord* record : llvm::findDVRDeclares(value)) {
    return sized(record->getVariable()->getType(), size);
  }
  for (const llvm::DbgDeclareInst* declare : llvm::findDbgDeclares(value)) {
    return sized(declare->getVariable()->getType(), size);
  }
  return none;
}

// `new T` says what it makes. What malloc makes has the type of the variable that it is given to.
std::uint32_t Types::of(const llvm::CallBase& call) {
  if (const llvm::MDNode* made = call.getMetadata(allocation_metadata)) {
    const auto* type = plain(llvm::dyn_cast<llvm::DIType>(made));
    const bool own = type == nullptr || !llvm::isa<llvm::DICompositeType>(type) || !places_.is_library(*type);
    return own ? of(type) : none;
  }
  const llvm::Function* callee = call.getCalledFunction();
  static const std::set<llvm::StringRef> allocators = {"malloc", "calloc", "realloc", "aligned_alloc"};
  if (callee == nullptr || !allocators.contains(callee->getName())) return none;
  for (const llvm::User* user : call.users()) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
    const auto* global = store == nullptr ? nullptr : llvm::dyn_cast<llvm::GlobalVariable>(store->getPointerOperand());
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> found;
    if (global != nullptr && store->getValueOperand() == &call) global->getDebugInfo(found);
    const llvm::DIType* type = found.empty() ? nullptr : pointee(found.front()->getVariable()->getType());
    if (type != nullptr) return of(type);
  }
  llvm::SmallVector<llvm::DbgValueInst*, 2> values;
  llvm::SmallVector<llvm::DbgVariableRecord*, 2> records;
  llvm::findDbgValues(values, const_cast<llvm::CallBase*>(&call), &records);
  for (const llvm::DbgVariableRecord* record : records) {
    if (const llvm::DIType* type = pointee(record->getVariable()->getType())) return of(type);
  }
  for (const llvm::DbgValueInst* one : values) {
    if (const llvm::DIType* type = pointee(one->getVariable()->getType())) return of(type);
  }
  return none;
}

}  // namespace heddle::lower
