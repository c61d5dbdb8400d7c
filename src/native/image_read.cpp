// Reads the bytes of an image (docs/native-image.md), in the order in which image_fields.h lists the fields.
#include <fmt/format.h>
#include <xxhash.h>

#include "native/image_check.h"
#include "native/image_codec.h"

namespace heddle::native {
namespace {

// Reads fields. A count is believed only if the rest of the file is long enough for as many elements of the smallest
// size, so what is allocated is at most a small multiple of the file.
class ImageReader {
 public:
  explicit ImageReader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  void operator()(T& field) {
    if constexpr (std::is_same_v<T, Code>) {
      const auto code = number<std::uint16_t>();
      if (code > static_cast<std::uint16_t>(Code::Unsupported)) throw ImageError("unknown operation in image");
      field = static_cast<Code>(code);
    } else if constexpr (std::is_same_v<T, Type::Kind>) {
      const auto kind = number<std::uint8_t>();
      if (kind > static_cast<std::uint8_t>(Type::Kind::Array)) throw ImageError("unknown kind of type in image");
      field = static_cast<Type::Kind>(kind);
    } else if constexpr (std::is_same_v<T, bool>) {
      const auto value = number<std::uint8_t>();
      if (value > 1) throw ImageError("damaged image: a truth value is neither 0 nor 1");
      field = value != 0;
    } else if constexpr (std::is_integral_v<T>) {
      field = number<T>();
    } else {
      fields(*this, field);
    }
  }
  void operator()(std::string& text) {
    const std::uint32_t size = number<std::uint32_t>();
    text = take(size);
  }
  template <class T>
  void operator()(std::vector<T>& elements) {
    static const std::size_t smallest = [] {
      T element{};
      ImageWriter writer;
      writer(element);
      return writer.bytes().size();
    }();
    const std::uint32_t count = number<std::uint32_t>();
    if (count > rest_.size() / smallest) throw ImageError("damaged image: too short");
    elements.resize(count);
    for (T& element : elements) (*this)(element);
  }

  bool at_end() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }

  template <class T>
  T number() {
    const std::string_view bytes = take(sizeof(T));
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    }
    return static_cast<T>(value);
  }

 private:
  std::string_view take(std::size_t size) {
    if (size > rest_.size()) throw ImageError("damaged image: too short");
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::string_view rest_;
};

}  // namespace

Image read_image(std::string_view bytes) {
  if (bytes.size() < image_header_size || !bytes.starts_with(image_magic))
    throw ImageError("not an image of a program");
  ImageReader reader(bytes.substr(image_magic.size()));
  const auto version = reader.number<std::uint32_t>();
  if (version != image_version) {
    throw ImageError(fmt::format("image of version {}, not {}: lower the program again", version, image_version));
  }
  const auto checksum = reader.number<std::uint64_t>();
  if (XXH3_64bits(reader.rest().data(), reader.rest().size()) != checksum) {
    throw ImageError("damaged image: the checksum is wrong");
  }
  Image image;
  reader(image);
  if (!reader.at_end()) throw ImageError("damaged image: too long");
  check_image(image);
  return image;
}

}  // namespace heddle::native
