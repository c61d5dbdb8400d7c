// An image is a program of C or C++ in the form that the machine runs: decoded operations, globals, places in the
// source. `heddle-lower` (components/lower) makes it from LLVM's bitcode; `heddle` reads it and never loads LLVM.
//
//   const Image image = read_image(bytes);        // throws ImageError unless every index is in range
//
// Values. A register is a word of 64 bits. An integer of up to 64 bits, a pointer, a float (its bits) and a double take
// one word, the unused upper bits zero; an integer of 65 to 128 bits and a long double take two words, the lower
// first; a struct or array is the sequence of its members. An operand is a register, or a constant of the function if
// its bit 31 is set (constants are words, too; a value of several words is consecutive in both).
//
// Pointers. A word whose bits 47 to 40 are `pointer_pattern` mentions the object (owner, index), see Label: the owner
// is the thread that made the object, `global_owner` or `function_owner`. Bits 21 to 0 are the offset into the object;
// bits 63 to 48 are free for tags of the program, but must be zero when memory is accessed. So a pointer is recognised
// by its value, wherever the program keeps it, and a copy of memory needs no renaming. Constants and initial contents
// of globals hold pointers to globals and functions in this form.
//
// Memory accesses are exactly those of the source, in order: no pass has merged, moved, invented or removed one, except
// of local variables whose address nobody takes, which are registers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::native {

using Word = std::uint64_t;

inline constexpr std::uint32_t image_version = 3;
inline constexpr std::uint32_t none = ~std::uint32_t{0};  // "no such index"

// The object that a pointer mentions.
struct Label {
  static constexpr std::uint32_t owner_bits = 5, index_bits = 13, offset_bits = 22;
  static constexpr std::uint32_t global_owner = 31, function_owner = 30;
  static constexpr std::uint32_t max_threads = 30;                    // owners 0 to 29 are threads
  static constexpr std::uint32_t max_index = (1u << index_bits) - 1;  // of no object: it names the thread itself
  static constexpr std::uint32_t max_size = (1u << offset_bits) - 1;  // bytes of an object
  static constexpr Word pointer_pattern = 0x6B;                       // of 8 bits

  // Objects of threads: those on the stack, and a thread's copies of variables, have odd indices, those on the heap
  // have even ones. So the heap objects of a thread are numbered without gaps.
  std::uint32_t owner = 0, index = 0;
  friend auto operator<=>(const Label&, const Label&) = default;

  Word pointer(std::uint32_t offset = 0) const {
    return pointer_pattern << 40 | Word{owner} << 35 | Word{index} << offset_bits | offset;
  }
  static bool is_pointer(Word word) { return (word >> 40 & 0xFF) == pointer_pattern; }
  // REQUIRES: is_pointer(word).
  static Label of(Word word) {
    return {static_cast<std::uint32_t>(word >> 35 & 0x1F), static_cast<std::uint32_t>(word >> offset_bits & max_index)};
  }
  static std::uint32_t offset(Word word) { return static_cast<std::uint32_t>(word & max_size); }
};

enum class Code : std::uint16_t {
  // result = a op b, integers of `width` bits (1 to 128). Dividing by zero and the overflow of a signed
  // division are errors of the program. The result of shifting by `width` or more is 0.
  Add,
  Sub,
  Mul,
  UDiv,
  SDiv,
  URem,
  SRem,
  And,
  Or,
  Xor,
  Shl,
  LShr,
  AShr,
  // result = a compared with b, integers of `width` bits; the result has one bit.
  Eq,
  Ne,
  Ult,
  Ule,
  Ugt,
  Uge,
  Slt,
  Sle,
  Sgt,
  Sge,
  // Floating point of `width` 32, 64 or 80 bits.
  FAdd,
  FSub,
  FMul,
  FDiv,
  FRem,
  FNeg,
  FCompare,  // flags: LLVM's predicate number (0 false .. 15 true)
  // Conversions: result of `width` bits from `a` of `immediate` bits.
  Truncate,
  ZeroExtend,
  SignExtend,
  FloatToUnsigned,
  FloatToSigned,
  UnsignedToFloat,
  SignedToFloat,
  FloatToFloat,
  // Bit operations on integers of `width` bits. flags 1: a is not zero (else the result for zero is `width`).
  CountLeadingZeros,
  CountTrailingZeros,
  CountOnes,
  ByteSwap,
  BitReverse,
  FunnelShiftLeft,
  FunnelShiftRight,  // of a:b by c
  // With overflow: result = (value of `width` bits, one bit); flags: 0 signed, 1 unsigned.
  AddOverflow,
  SubOverflow,
  MulOverflow,
  AddSaturating,
  SubSaturating,  // flags: 0 signed, 1 unsigned
  // result = one of a mathematical function of `width` bits; flags: a MathFunction.
  Math,
  Undefined,  // result = `width` bits that nobody has given a value; flags: a variable's name
  Copy,       // result = a; `immediate` words
  Select,     // result = a (one bit) ? b : c; `immediate` words; flags 1: `?:` of the source
  Index,      // result = a + sign-extended b (of `width` bits) * immediate; pointers
  // Memory. `width`: bytes (Load, Store, Exchange...: 1 to 16; a value of several words is written in its order, eight
  // bytes a word, the last word with what is left). flags: Ordering, with `volatile_access`.
  // result = pointer to a new object of immediate * a bytes (a: words of 64 bits), until the function returns; flags: a
  // variable's name
  StackObject,
  LifetimeStart,    // of the stack object at a: its content is indeterminate again
  LifetimeEnd,      // accesses are errors from now on
  Load,             // result = *a
  Store,            // *a = b
  CompareExchange,  // result = (old value, one bit: success); *a, expected b, new c; the failure ordering is not kept
  ReadModifyWrite,  // result = old *a; *a = old `immediate` (an Rmw) b
  Fence,
  MemoryCopy,   // *a = *b, c bytes (64 bits); flags 1: may overlap
  MemorySet,    // *a = b (8 bits), c bytes
  ThreadLocal,  // result = pointer to this thread's copy of global `immediate`
  // Control. Targets are indices of operations in the function.
  Jump,    // to immediate
  Branch,  // a (one bit) ? immediate : c (an index, not an operand)
  Switch,  // on a of `width` bits: cases [b, b + c) of the function; otherwise immediate
  // Calls. Arguments are [b, b + c) of the function's `arguments`, each `words` long; result: `width` words.
  Call,          // function immediate
  CallIndirect,  // the function that pointer a mentions; an error unless arguments and result fit
  CallExternal,  // external immediate; argument sizes are those of `arguments`
  Return,        // a; `width` words, 0: nothing
  Unreachable,
  Statement,    // from here on this activation is in statement immediate; nothing else happens
  Unsupported,  // immediate: index into `texts`; an error when it is reached
};

enum class MathFunction : std::uint8_t {
  SquareRoot,
  Absolute,
  Floor,
  Ceil,
  Truncate,
  Round,
  RoundEven,
  Minimum,
  Maximum,
  CopySign,
  MultiplyAdd,
  Sine,
  Cosine,
  Exp,
  Log,
  Power,
};  // Minimum, Maximum: of a number and NaN, the number. MultiplyAdd: rounded once. RoundEven: also for rint.

enum class Rmw : std::uint8_t { Exchange, Add, Sub, And, Nand, Or, Xor, Max, Min, UMax, UMin, FAdd, FSub };

// In `flags` of memory operations. Plain: not atomic.
enum class Ordering : std::uint8_t { Plain, Relaxed, Acquire, Release, AcquireRelease, SequentiallyConsistent };
inline constexpr std::uint32_t ordering_mask = 7, volatile_access = 8;

// In `flags` of Undefined and StackObject: the index of the variable's name in `texts` plus one; 0: it has none.

inline constexpr std::uint32_t constant_bit = std::uint32_t{1} << 31;

struct Operation {
  Code code = Code::Unreachable;
  std::uint16_t width = 0;
  std::uint32_t flags = 0;
  std::uint32_t result = none;                 // a register
  std::uint32_t a = none, b = none, c = none;  // operands, unless the code says otherwise
  Word immediate = 0;
  std::uint32_t place = none;
  friend bool operator==(const Operation&, const Operation&) = default;
};

// A place in the source. Code that was inlined has the place where it was called as `inlined_at`.
struct Place {
  std::uint32_t file = none;  // index into files
  std::uint32_t line = 0, column = 0;
  std::uint32_t function = none;    // index into texts: its name as a person writes it
  std::uint32_t inlined_at = none;  // index into places
  bool about = false;               // the compiler gave no line; this is that of a neighbour
  friend bool operator==(const Place&, const Place&) = default;
};

struct Argument {
  std::uint32_t operand = none;
  std::uint32_t words = 1;
  // Of externals with a variable number of arguments (printf): a double, not an integer.
  bool floating = false;
  friend bool operator==(const Argument&, const Argument&) = default;
};

// What debug information says of a type. It is for people only: execution does not depend on it.
struct TypeMember {
  std::uint32_t name = none;        // index into texts
  std::uint32_t offset = 0;         // bytes
  std::uint32_t type = none;        // a smaller index
  std::uint32_t bit = 0, bits = 0;  // a bit-field: its first bit from there (0 to 7), and how many; otherwise 0
  friend bool operator==(const TypeMember&, const TypeMember&) = default;
};

struct Enumerator {
  Word value = 0;             // of 64 bits
  std::uint32_t name = none;  // index into texts
  friend bool operator==(const Enumerator&, const Enumerator&) = default;
};

struct Type {
  // Opaque: a union, or a class of a library; its bytes say nothing to the user.
  enum class Kind : std::uint8_t { Opaque, Signed, Unsigned, Boolean, Floating, Pointer, Struct, Array };
  static constexpr std::uint32_t max_depth = 64;  // of types within types

  std::uint32_t name = none;  // index into texts; none: it has none
  Kind kind = Kind::Opaque;
  std::uint32_t size = 0;               // bytes, not 0
  std::uint32_t element = none;         // Array: a smaller index; its size divides this one
  std::vector<TypeMember> members;      // Struct: ascending, apart from each other
  std::vector<Enumerator> enumerators;  // Signed, Unsigned: of an enumeration
  friend bool operator==(const Type&, const Type&) = default;
};

// The type of the objects that an operation makes: StackObject, or a call of a function that allocates.
struct MadeType {
  std::uint32_t at = 0;       // the operation
  std::uint32_t type = none;  // index into types
  friend bool operator==(const MadeType&, const MadeType&) = default;
};

struct Case {
  Word value = 0, upper = 0;  // of up to 128 bits
  std::uint32_t target = 0;
  friend bool operator==(const Case&, const Case&) = default;
};

struct Function {
  std::uint32_t name = none;     // index into texts: as a person writes it, "Queue<int>::push(int)"
  std::uint32_t symbol = none;   // index into texts: as the linker knows it
  std::uint32_t registers = 0;   // words of a frame; the parameters come first
  std::uint32_t parameters = 0;  // words
  std::uint32_t result_words = 0;
  std::uint32_t place = none;  // where it begins
  bool library = false;        // not the user's own code: of the standard library or of Heddle's runtime
  std::vector<Word> constants;
  std::vector<Argument> arguments;
  std::vector<Case> cases;
  std::vector<Operation> operations;  // execution begins at 0; the last one is a terminator
  std::vector<MadeType> made;         // ascending; nothing is known of the other operations

  // The type of what an operation makes; none if that is not known.
  std::uint32_t made_type(std::uint32_t operation) const {
    const auto found = std::ranges::lower_bound(made, operation, {}, &MadeType::at);
    return found != made.end() && found->at == operation ? found->type : none;
  }
  friend bool operator==(const Function&, const Function&) = default;
};

struct Global {
  std::uint32_t name = none;  // index into texts
  std::uint32_t place = none;
  std::uint32_t size = 0;          // bytes
  bool constant = false;           // never written
  bool thread_local_copy = false;  // each thread has its own
  bool library = false;            // not the user's own
  std::uint32_t type = none;       // index into types
  std::string bytes;               // initial content; shorter than size: the rest is zero
  friend bool operator==(const Global&, const Global&) = default;
};

// A statement of the user's source, for atomic sections and reports (statements.h). The statements of a function are a
// tree: its body, then what stands inside. Conditions and increments belong to the statement that they steer; all
// instantiations of a template have the same statements.
struct SourceStatement {
  std::uint32_t file = none;
  std::uint32_t first_line = 0, first_column = 0;  // of its first character
  std::uint32_t last_line = 0, last_column = 0;    // of its last one; not before the first
  std::uint32_t parent = none;                     // a smaller index; none: the body of a function
  std::uint32_t function = none;                   // index into texts: its name without arguments, "Queue::push"
  bool loop = false;
  friend bool operator==(const SourceStatement&, const SourceStatement&) = default;
};

struct Image {
  std::vector<std::string> files;  // as clang was given them
  std::vector<std::string> texts;
  std::vector<Place> places;
  std::vector<Type> types;
  std::vector<Global> globals;
  std::vector<Function> functions;
  std::vector<std::uint32_t> externals;  // indices into texts: the symbols that CallExternal names
  std::vector<SourceStatement> statements;
  // Where execution begins, a function without parameters and result that never returns; none if the program has
  // neither `main` nor a harness.
  std::uint32_t start = none;
  std::vector<std::uint32_t> warnings;  // texts for the user: "memory order weaker than seq_cst" is not one of them
  friend bool operator==(const Image&, const Image&) = default;
};

struct ImageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The bytes of a file: a magic word, the version, a checksum, then everything above in this order, little-endian.
std::string write_image(const Image& image);
// Throws ImageError if the bytes are not an image of this version, are damaged, or refer to what is not there: the
// machine need not check indices of operations, operands, registers, targets and texts again.
Image read_image(std::string_view bytes);

// Returns the image as text, one operation a line, for tests and for people.
std::string dump(const Image& image);

}  // namespace heddle::native
