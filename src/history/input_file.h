// The bytes of a file, mapped rather than copied. A pipe or standard input ("-") is read to its end.
// Not copyable; any number of threads may read the text.
#pragma once

#include <string>
#include <string_view>

namespace heddle::history {

class InputFile {
 public:
  // Throws HistoryError if the file cannot be read, ReadingStopped after Ctrl-C while waiting for a pipe or when more
  // than `most` bytes come out of it.
  explicit InputFile(const std::string& path, std::size_t most = static_cast<std::size_t>(-1));
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  std::string_view text() const { return text_; }
  // The name in messages, also for standard input.
  const std::string& name() const { return name_; }

 private:
  void read_all(int descriptor, std::size_t most);

  std::string name_;
  std::string_view text_;
  std::string buffer_;
  void* mapping_ = nullptr;
  std::size_t mapped_ = 0;
};

}  // namespace heddle::history
