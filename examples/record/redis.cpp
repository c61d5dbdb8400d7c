// Records the clients of a Redis server. run.sh starts the server, this program and the check.
#include <hiredis/hiredis.h>

#include "workload.h"

namespace {

class RedisStore {
 public:
  explicit RedisStore(int port)
      : context_(redisConnectWithTimeout("127.0.0.1", port, to_timeval(example::request_timeout)), redisFree) {
    if (context_ == nullptr || context_->err != 0) throw example::NotSent("cannot connect");
    redisSetTimeout(context_.get(), to_timeval(example::request_timeout));
    // A server that has just started answers every request with LOADING until its data is read.
    if (command("PING")->type != REDIS_REPLY_STATUS) throw example::NotSent("not ready");
  }

  std::optional<std::int64_t> get(const std::string& key) {
    const auto reply = command("GET %s", key.c_str());
    if (reply->type == REDIS_REPLY_NIL) return std::nullopt;
    expect(*reply, REDIS_REPLY_STRING);
    return std::stoll(std::string(reply->str, reply->len));
  }

  void set(const std::string& key, std::int64_t value) {
    expect(*command("SET %s %lld", key.c_str(), static_cast<long long>(value)), REDIS_REPLY_STATUS);
  }

  bool compare_and_set(const std::string& key, std::int64_t old_value, std::int64_t new_value) {
    constexpr const char* script =
        "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('SET', KEYS[1], ARGV[2]) return 1 else return 0 end";
    const auto reply = command("EVAL %s 1 %s %lld %lld", script, key.c_str(), static_cast<long long>(old_value),
                               static_cast<long long>(new_value));
    expect(*reply, REDIS_REPLY_INTEGER);
    return reply->integer == 1;
  }

 private:
  struct FreeReply {
    void operator()(redisReply* reply) const { freeReplyObject(reply); }
  };
  using Reply = std::unique_ptr<redisReply, FreeReply>;

  static timeval to_timeval(std::chrono::seconds seconds) { return {seconds.count(), 0}; }

  // A connection that breaks or times out leaves open whether the request was carried out.
  template <class... Arguments>
  Reply command(const char* format, Arguments... arguments) {
    Reply reply(static_cast<redisReply*>(redisCommand(context_.get(), format, arguments...)));
    if (reply == nullptr) throw std::runtime_error(context_->errstr);
    return reply;
  }

  static void expect(const redisReply& reply, int type) {
    if (reply.type == REDIS_REPLY_ERROR) throw std::runtime_error(std::string(reply.str, reply.len));
    if (reply.type != type) throw std::runtime_error("an answer of an unexpected type");
  }

  std::unique_ptr<redisContext, void (*)(redisContext*)> context_;
};

}  // namespace

int main(int argc, char** argv) { return example::workload<RedisStore>(argc, argv); }
