// Records the clients of an etcd server, through its v3 interface as JSON over HTTP. Reads are linearizable
// (the default). run.sh starts the server, this program and the check.
#include <httplib.h>

#include <boost/json.hpp>

#include "base64.h"
#include "workload.h"

namespace {

namespace json = boost::json;

class EtcdStore {
 public:
  explicit EtcdStore(int port) : http_("127.0.0.1", port) {
    http_.set_keep_alive(true);
    http_.set_tcp_nodelay(true);
    http_.set_connection_timeout(example::request_timeout);
    http_.set_read_timeout(example::request_timeout);
    http_.set_write_timeout(example::request_timeout);
    // A member that has just started refuses requests until it is ready.
    const auto answer = http_.Get("/health");
    if (!answer || answer->status != 200) throw example::NotSent("not ready");
  }

  std::optional<std::int64_t> get(const std::string& key) {
    const json::object answer = post("/v3/kv/range", {{"key", example::to_base64(key)}});
    const json::value* found = answer.if_contains("kvs");
    if (found == nullptr) return std::nullopt;
    return std::stoll(example::from_base64(std::string(found->at(0).at("value").as_string())));
  }

  void set(const std::string& key, std::int64_t value) { post("/v3/kv/put", put(key, value)); }

  bool compare_and_set(const std::string& key, std::int64_t old_value, std::int64_t new_value) {
    const json::object compare{{"key", example::to_base64(key)},
                               {"target", "VALUE"},
                               {"result", "EQUAL"},
                               {"value", example::to_base64(std::to_string(old_value))}};
    const json::object answer =
        post("/v3/kv/txn", {{"compare", json::array{compare}},
                            {"success", json::array{json::object{{"request_put", put(key, new_value)}}}}});
    return answer.contains("succeeded");  // the field is left out if it is false
  }

 private:
  static json::object put(const std::string& key, std::int64_t value) {
    return {{"key", example::to_base64(key)}, {"value", example::to_base64(std::to_string(value))}};
  }

  // Whatever goes wrong behind the connection leaves open whether the request was carried out. So does an
  // error that the server reports: it may have given up waiting for its log.
  json::object post(const char* path, const json::object& body) {
    const auto answer = http_.Post(path, json::serialize(body), "application/json");
    if (!answer) {
      const std::string why = httplib::to_string(answer.error());
      if (answer.error() == httplib::Error::Connection) throw example::NotSent(why);
      throw std::runtime_error(why);
    }
    if (answer->status != 200) throw std::runtime_error("status " + std::to_string(answer->status));
    return json::parse(answer->body).as_object();
  }

  httplib::Client http_;
};

}  // namespace

int main(int argc, char** argv) { return example::workload<EtcdStore>(argc, argv); }
