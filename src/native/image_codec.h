// The fields of an image in the order of its file, for reading and for writing: one list, so the two cannot disagree.
//
// An archive is called with every field. Numbers are little-endian, a bool is a byte, a string and a vector are a count
// of 32 bits and their elements.
#pragma once

#include "native/image.h"

namespace heddle::native {

inline constexpr std::string_view image_magic = "HEDIMAGE";
// Magic, version, checksum of what follows.
inline constexpr std::size_t image_header_size = 8 + 4 + 8;

template <class Archive>
void fields(Archive& archive, Operation& x) {
  archive(x.code), archive(x.width), archive(x.flags), archive(x.result), archive(x.a), archive(x.b), archive(x.c);
  archive(x.immediate), archive(x.place);
}

template <class Archive>
void fields(Archive& archive, Place& x) {
  archive(x.file), archive(x.line), archive(x.column), archive(x.function), archive(x.inlined_at), archive(x.about);
}

template <class Archive>
void fields(Archive& archive, Argument& x) {
  archive(x.operand), archive(x.words), archive(x.floating);
}

template <class Archive>
void fields(Archive& archive, Case& x) {
  archive(x.value), archive(x.upper), archive(x.target);
}

template <class Archive>
void fields(Archive& archive, Function& x) {
  archive(x.name), archive(x.symbol), archive(x.registers), archive(x.parameters), archive(x.result_words);
  archive(x.place), archive(x.library), archive(x.constants), archive(x.arguments), archive(x.cases);
  archive(x.operations), archive(x.made);
}

template <class Archive>
void fields(Archive& archive, TypeMember& x) {
  archive(x.name), archive(x.offset), archive(x.type), archive(x.bit), archive(x.bits);
}

template <class Archive>
void fields(Archive& archive, Enumerator& x) {
  archive(x.value), archive(x.name);
}

template <class Archive>
void fields(Archive& archive, Type& x) {
  archive(x.name), archive(x.kind), archive(x.size), archive(x.element), archive(x.members), archive(x.enumerators);
}

template <class Archive>
void fields(Archive& archive, MadeType& x) {
  archive(x.at), archive(x.type);
}

template <class Archive>
void fields(Archive& archive, Global& x) {
  archive(x.name), archive(x.place), archive(x.size), archive(x.constant), archive(x.thread_local_copy);
  archive(x.library), archive(x.type), archive(x.bytes);
}

template <class Archive>
void fields(Archive& archive, SourceStatement& x) {
  archive(x.file), archive(x.first_line), archive(x.first_column), archive(x.last_line), archive(x.last_column);
  archive(x.parent), archive(x.function), archive(x.loop);
}

template <class Archive>
void fields(Archive& archive, Image& x) {
  archive(x.files), archive(x.texts), archive(x.places), archive(x.types), archive(x.globals), archive(x.functions);
  archive(x.externals), archive(x.statements), archive(x.start), archive(x.warnings);
}

// Writes fields behind each other.
class ImageWriter {
 public:
  template <class T>
  void operator()(T& field) {
    if constexpr (std::is_enum_v<T>) {
      number(static_cast<std::underlying_type_t<T>>(field));
    } else if constexpr (std::is_same_v<T, bool>) {
      number(static_cast<std::uint8_t>(field));
    } else if constexpr (std::is_integral_v<T>) {
      number(field);
    } else {
      fields(*this, field);
    }
  }
  void operator()(std::string& text) {
    number(static_cast<std::uint32_t>(text.size()));
    bytes_ += text;
  }
  template <class T>
  void operator()(std::vector<T>& elements) {
    number(static_cast<std::uint32_t>(elements.size()));
    for (T& element : elements) (*this)(element);
  }

  std::string& bytes() { return bytes_; }

 private:
  template <class T>
  void number(T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      bytes_ += static_cast<char>(static_cast<unsigned char>(static_cast<std::uint64_t>(value) >> (8 * i)));
    }
  }

  std::string bytes_;
};

}  // namespace heddle::native
