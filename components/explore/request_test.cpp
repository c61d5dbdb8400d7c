// What the explorer reads from requests, and whom it refuses.
#include "request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace heddle::explorer::request_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = Wish::Kind;

const Address address{.port = 4711, .token = "0123456789abcdef0123456789abcdef"};

Request request(const std::string& method, const std::string& path, const std::string& body = "") {
  return {.method = method,
          .target = "/" + address.token + path,
          .host = "127.0.0.1:4711",
          .origin = "",
          .site = "",
          .content_type = "application/json",
          .body = body};
}

// "403 The address lacks ..."
std::string refusal(const Request& one) {
  try {
    read_request(one, address);
    return "accepted";
  } catch (const Refusal& refused) {
    return std::to_string(refused.status()) + " " + refused.what();
  }
}

TEST(ExplorerRequest, IsAWish) {
  EXPECT_EQ(read_request(request("GET", "/"), address).kind, Kind::Page);
  EXPECT_EQ(read_request(request("GET", "/?again#x"), address).kind, Kind::Page);
  EXPECT_EQ(read_request(request("GET", "/api/progress"), address).kind, Kind::Progress);
  const Wish look = read_request(request("POST", "/api/look", R"({"initial": 2, "path": [0, 3, 1]})"), address);
  EXPECT_EQ(look.kind, Kind::Look);
  EXPECT_EQ(look.position.initial, 2u);
  EXPECT_THAT(look.position.choices, ElementsAre(0, 3, 1));
  EXPECT_EQ(read_request(request("POST", "/api/adopt", R"({"finding": 1})"), address).finding, 1u);
  EXPECT_EQ(read_request(request("POST", "/api/search", "{}"), address).kind, Kind::Search);
}

TEST(ExplorerRequest, ComesFromItsOwnPage) {
  Request one = request("GET", "/api/progress");
  one.host = "localhost:4711";
  one.origin = "http://localhost:4711";
  one.site = "same-origin";
  EXPECT_EQ(refusal(one), "accepted");
  for (const char* const origin : {"http://evil.example", "http://127.0.0.1:4712", "https://127.0.0.1:4711", "null"}) {
    one.host = "127.0.0.1:4711";
    one.origin = origin;
    EXPECT_THAT(refusal(one), HasSubstr("403 A page of another site")) << origin;
  }
  one.origin = "";
  for (const char* const site : {"cross-site", "same-site"}) {
    one.site = site;
    EXPECT_THAT(refusal(one), HasSubstr("403 A page of another site")) << site;
  }
  one.site = "";
  // A name that was made to point here.
  for (const char* const host :
       {"evil.example:4711", "127.0.0.1:4712", "127.0.0.1", "", "127.0.0.1:4711.evil.example"}) {
    one.host = host;
    EXPECT_THAT(refusal(one), HasSubstr("403 This server answers under the name 127.0.0.1:4711")) << host;
  }
}

TEST(ExplorerRequest, HasTheToken) {
  for (const std::string target :
       {"/", "", "*", "/api/progress", "//", "/0123456789abcdef0123456789abcdee/", "/0123456789abcdef0123456789abcdef",
        "/0123456789abcdef/", "/0123456789abcdef0123456789abcdef0/",
        "http://127.0.0.1/0123456789abcdef0123456789abcdef/"}) {
    Request one = request("GET", "");
    one.target = target;
    EXPECT_THAT(refusal(one), HasSubstr("403 The address lacks the token")) << target;
  }
  EXPECT_THROW(read_request(request("GET", "/"), Address{.port = 4711, .token = ""}), Refusal);
}

TEST(ExplorerRequest, ThatIsMalformedIsRefusedInWords) {
  EXPECT_THAT(refusal(request("GET", "/other")), HasSubstr("404 There is nothing"));
  EXPECT_THAT(refusal(request("PUT", "/api/look")), HasSubstr("405 /api/look takes POST"));
  EXPECT_THAT(refusal(request("POST", "/")), HasSubstr("405 / takes GET"));
  EXPECT_THAT(refusal(request("POST", "/api/look", "")), HasSubstr("400 request:1:1"));
  EXPECT_THAT(refusal(request("POST", "/api/look", "[]")), HasSubstr("400 "));
  EXPECT_THAT(refusal(request("POST", "/api/look", R"({"path": 1})")), HasSubstr("400 "));
  for (const char* const choice : {"-1", "1.5", "\"1\"", "null", "1e3", "99999999999999999999999", "[]"}) {
    EXPECT_THAT(refusal(request("POST", "/api/look", std::string("{\"path\": [") + choice + "]}")),
                HasSubstr("this should be a number of a choice"))
        << choice;
  }
  EXPECT_THAT(refusal(request("POST", "/api/adopt", "{}")), HasSubstr("400 "));
  Request form = request("POST", "/api/search", "{}");
  form.content_type = "text/plain";
  EXPECT_THAT(refusal(form), HasSubstr("415 "));
  std::string path = "{\"path\": [0";
  for (std::size_t i = 0; i < most_choices; ++i) path += ",0";
  EXPECT_THAT(refusal(request("POST", "/api/look", path + "]}")), HasSubstr("the explorer follows 20000"));
  EXPECT_THAT(refusal(request("POST", "/api/look", std::string(most_body + 1, ' '))), HasSubstr("413 "));
}

}  // namespace
}  // namespace heddle::explorer::request_test
