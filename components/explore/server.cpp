#include "server.h"

#include <fcntl.h>

#include <boost/asio.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <utility>

namespace heddle::explorer {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using Tcp = asio::ip::tcp;

constexpr std::chrono::seconds patience{30};  // for a request, and for a window that takes its answer

std::string text_of(beast::string_view view) { return {view.data(), view.size()}; }

class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(Tcp::socket socket, const Server::Handler& handler, unsigned& connections)
      : stream_(std::move(socket)), handler_(handler), connections_(connections) {
    ++connections_;
    // If the program starts again, who waits for an answer has to see that there will be none.
    ::fcntl(stream_.socket().native_handle(), F_SETFD, FD_CLOEXEC);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() { --connections_; }

  void begin() {
    if (connections_ <= Server::most_connections) return read();
    last_ = true;
    write(refused(503, "The explorer has too many connections. Close some windows and load this one again."));
  }

 private:
  void read() {
    parser_.emplace();
    parser_->header_limit(most_header);
    parser_->body_limit(most_body);
    stream_.expires_after(patience);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](beast::error_code error, std::size_t) { self->has_read(error); });
  }

  void has_read(beast::error_code error) {
    if (error) {
      last_ = true;
      if (error == http::error::body_limit) {
        return write(refused(413, "The request has more than " + std::to_string(most_body) + " bytes."));
      }
      if (error == http::error::header_limit || error == http::error::buffer_overflow) {
        return write(refused(431, "The head of the request is too long."));
      }
      if (error != http::error::end_of_stream &&
          error.category() == make_error_code(http::error::bad_method).category()) {
        return write(refused(400, "This is no request of HTTP: " + error.message() + "."));
      }
      return close();
    }
    const auto& message = parser_->get();
    last_ = !message.keep_alive();
    const auto header = [&](http::field name) { return text_of(message[name]); };
    const Request request{.method = text_of(message.method_string()),
                          .target = text_of(message.target()),
                          .host = header(http::field::host),
                          .origin = header(http::field::origin),
                          .site = text_of(message["Sec-Fetch-Site"]),
                          .content_type = header(http::field::content_type),
                          .body = message.body()};
    stream_.expires_never();  // the model may take its time
    handler_(request, [self = shared_from_this()](Answer answer) {
      asio::post(self->stream_.get_executor(),
                 [self, answer = std::move(answer)]() mutable { self->write(std::move(answer)); });
    });
  }

  void write(Answer answer) {
    response_ = {};
    response_.result(answer.status);
    response_.version(11);
    response_.keep_alive(!last_);
    response_.set(http::field::content_type, answer.type);
    response_.set(http::field::cache_control, "no-store");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("Referrer-Policy", "no-referrer");
    response_.set("Cross-Origin-Resource-Policy", "same-origin");
    response_.set("Cross-Origin-Opener-Policy", "same-origin");
    response_.set("Content-Security-Policy", "frame-ancestors 'none'");
    response_.body() = std::move(answer.body);
    response_.prepare_payload();
    stream_.expires_after(patience);
    http::async_write(stream_, response_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (error || self->last_) return self->close();
      self->read();
    });
  }

  void close() {
    beast::error_code ignored;
    static_cast<void>(stream_.socket().shutdown(Tcp::socket::shutdown_send, ignored));
  }

  beast::tcp_stream stream_;
  const Server::Handler& handler_;
  unsigned& connections_;
  beast::flat_buffer buffer_{most_header + most_body};
  std::optional<http::request_parser<http::string_body>> parser_;
  http::response<http::string_body> response_;
  bool last_ = false;
};

}  // namespace

struct Server::Inside {
  Inside(const Listening& listening, Handler given) : handler(std::move(given)), acceptor(context) {
    acceptor.assign(Tcp::v4(), listening.socket);
    accept();
    thread = std::jthread([this] { context.run(); });
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  ~Inside() {
    context.stop();
    thread.join();
  }

  void accept() {
    acceptor.async_accept([this](beast::error_code error, Tcp::socket socket) {
      if (!error) {
        std::make_shared<Session>(std::move(socket), handler, connections)->begin();
        return accept();
      }
      // Too many open files, say: not at once again.
      pause.expires_after(std::chrono::milliseconds(100));
      pause.async_wait([this](beast::error_code) { accept(); });
    });
  }

  Handler handler;
  unsigned connections = 0;  // used in the server's thread, and after it
  asio::io_context context{1};
  Tcp::acceptor acceptor;
  asio::steady_timer pause{context};
  std::jthread thread;
};

Server::Server(const Listening& listening, Handler handler)
    : inside_(std::make_unique<Inside>(listening, std::move(handler))) {}
Server::~Server() = default;

}  // namespace heddle::explorer
