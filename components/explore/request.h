// What a window of the explorer asks for, read from an HTTP request.
//
//   const Wish wish = read_request(request, address);      // throws Refusal
//
// A server on a machine of many users and many web pages has to know whom it answers. Only who knows the token gets an
// answer, and it is part of the path, so that everything below the page has it. A page of another site does not know
// it; should it ever, its requests have another Origin, and those of a name that was made to point here another Host.
// Whatever is wrong is a Refusal: a status of HTTP and a sentence.
// Pure functions, thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace heddle::explorer {

inline constexpr std::size_t most_body = std::size_t{256} * 1024;   // bytes
inline constexpr std::size_t most_header = std::size_t{16} * 1024;  // bytes
inline constexpr std::size_t most_choices = 20'000;                 // steps of a path

struct Request {
  std::string method, target;                    // "POST", "/6a.../api/look"
  std::string host, origin, site, content_type;  // headers; site: Sec-Fetch-Site. Empty: not there
  std::string body;
};

struct Address {
  std::uint16_t port = 0;
  std::string token;

  // "http://127.0.0.1:8080/6a.../"
  std::string url() const;
};

// A path from an initial state: which of the enabled steps was taken, each time. Steps are listed in an order that only
// the state decides, so such a path means the same to every process that has the same model.
struct Position {
  std::size_t initial = 0;
  std::vector<std::size_t> choices;
};

struct Wish {
  enum class Kind : std::uint8_t {
    Page,
    Look,      // at the state at the end of a path
    Trace,     // of a path
    Test,      // a path as a GoogleTest
    Search,    // begin the check in the background
    Stop,      // end it
    Progress,  // of it
    Adopt,     // the path of a run that it has found
  };
  Kind kind = Kind::Page;
  Position position = {};
  std::size_t finding = 0;  // of Adopt
};

class Refusal : public std::runtime_error {
 public:
  Refusal(unsigned status, const std::string& words) : std::runtime_error(words), status_(status) {}
  unsigned status() const { return status_; }

 private:
  unsigned status_;
};

Wish read_request(const Request& request, const Address& address);

// {"initial": 0, "path": [0, 2, 1]}; `text` is the body of a request. Throws Refusal.
Position read_position(const std::string& text);

}  // namespace heddle::explorer
