#include "request.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "report/json_view.h"

namespace heddle::explorer {
namespace {

constexpr unsigned bad_request = 400, forbidden = 403, not_found = 404, wrong_method = 405, too_large = 413,
                   wrong_type = 415;

struct Route {
  std::string_view method, path;  // the path follows the token
  Wish::Kind kind;
};
constexpr std::array routes = {
    Route{"GET", "/", Wish::Kind::Page},
    Route{"POST", "/api/look", Wish::Kind::Look},
    Route{"POST", "/api/trace", Wish::Kind::Trace},
    Route{"POST", "/api/test", Wish::Kind::Test},
    Route{"POST", "/api/search", Wish::Kind::Search},
    Route{"POST", "/api/stop", Wish::Kind::Stop},
    Route{"GET", "/api/progress", Wish::Kind::Progress},
    Route{"POST", "/api/adopt", Wish::Kind::Adopt},
};

// Takes the same time wherever the texts differ, so that the token cannot be guessed piece by piece.
bool same(std::string_view given, std::string_view secret) {
  if (given.size() != secret.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < given.size(); ++i) {
    difference |= static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(secret[i]);
  }
  return difference == 0;
}

void check_sender(const Request& request, const Address& address) {
  const std::array hosts = {fmt::format("127.0.0.1:{}", address.port), fmt::format("localhost:{}", address.port)};
  if (std::ranges::find(hosts, request.host) == hosts.end()) {
    throw Refusal(forbidden, fmt::format("This server answers under the name 127.0.0.1:{} only.", address.port));
  }
  if (!request.origin.empty() && request.origin != "http://" + request.host) {
    throw Refusal(forbidden, "A page of another site may not ask the explorer.");
  }
  if (!request.site.empty() && request.site != "same-origin" && request.site != "none") {
    throw Refusal(forbidden, "A page of another site may not ask the explorer.");
  }
}

// Returns what follows the token.
std::string_view after_token(const Request& request, const Address& address) {
  std::string_view target = request.target;
  target = target.substr(0, target.find_first_of("?#"));
  const bool rooted = target.starts_with('/');
  const std::size_t end = rooted ? target.find('/', 1) : std::string_view::npos;
  const std::string_view token = end == std::string_view::npos ? std::string_view() : target.substr(1, end - 1);
  if (address.token.empty() || !same(token, address.token)) {
    throw Refusal(forbidden, "The address lacks the token. Use the whole address that heddle explore has printed.");
  }
  return target.substr(end);
}

std::size_t number(const report::JsonView& view) {
  std::size_t value = 0;
  const std::string_view text = view.text();
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    view.fail("this should be a number of a choice, from 0");
  return value;
}

template <class Read>
auto read_json(const std::string& text, Read&& read) {
  try {
    const report::JsonDocument document(text, "request");
    document.root().expect(report::JsonView::Type::Object);
    return read(document.root());
  } catch (const report::ReportError& error) {
    throw Refusal(bad_request, error.what());
  }
}

}  // namespace

std::string Address::url() const { return fmt::format("http://127.0.0.1:{}/{}/", port, token); }

Position read_position(const std::string& text) {
  return read_json(text, [](const report::JsonView& root) {
    Position position;
    if (const auto initial = root.find("initial")) position.initial = number(*initial);
    const auto path = root.find("path");
    if (!path) return position;
    const std::vector<report::JsonView> choices = path->elements();
    if (choices.size() > most_choices) {
      path->fail(fmt::format("the path has {} steps; the explorer follows {}", choices.size(), most_choices));
    }
    for (const report::JsonView& one : choices) position.choices.push_back(number(one));
    return position;
  });
}

Wish read_request(const Request& request, const Address& address) {
  check_sender(request, address);
  const std::string_view path = after_token(request, address);
  const auto named = [&](const Route& route) { return route.path == path; };
  const auto route = std::ranges::find_if(routes, named);
  if (route == routes.end()) throw Refusal(not_found, "There is nothing under this address.");
  if (route->method != request.method) {
    throw Refusal(wrong_method, fmt::format("{} takes {}.", route->path, route->method));
  }
  Wish wish{.kind = route->kind};
  if (request.method != "POST") return wish;
  // A form of another page cannot send this type.
  if (!request.content_type.starts_with("application/json")) {
    throw Refusal(wrong_type, "The request should be JSON (Content-Type: application/json).");
  }
  if (request.body.size() > most_body) {
    throw Refusal(too_large, fmt::format("The request has more than {} bytes.", most_body));
  }
  if (wish.kind == Wish::Kind::Adopt) {
    wish.finding = read_json(request.body, [](const report::JsonView& root) { return number(root.member("finding")); });
  } else {
    wish.position = read_position(request.body);
  }
  return wish;
}

}  // namespace heddle::explorer
