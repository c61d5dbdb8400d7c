// The program heddle-explore: who gets an answer, what becomes of malformed requests, and how it ends.
#include <arpa/inet.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

namespace heddle::explorer::server_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

std::string read_file(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// A running explorer, in a folder of its own.
class Running {
 public:
  explicit Running(std::vector<std::string> words, const std::string& path = "") {
    std::string name = (fs::temp_directory_path() / "heddle-explore-test-XXXXXX").string();
    home_ = ::mkdtemp(name.data());
    words.insert(words.begin(), {"heddle-explore", "explore"});
    process_ = ::fork();
    if (process_ == 0) {
      ::setenv("XDG_CACHE_HOME", (fs::temp_directory_path() / "heddle-cli-test-cache").c_str(), 1);
      ::setenv("XDG_RUNTIME_DIR", home_.c_str(), 1);
      if (!path.empty()) ::setenv("PATH", path.c_str(), 1);
      ::dup2(::open((home_ / "out").c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600), 1);
      ::dup2(::open((home_ / "err").c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600), 2);
      std::vector<char*> arguments;
      for (std::string& word : words) arguments.push_back(word.data());
      arguments.push_back(nullptr);
      if (::chdir(home_.c_str()) == 0) ::execv(HEDDLE_COMPONENT_EXECUTABLE, arguments.data());
      ::_exit(127);
    }
    for (int wait = 0; wait < 1200 && port == 0; ++wait) {
      int status = 0;
      if (::waitpid(process_, &status, WNOHANG) == process_) {
        ended_ = true;
        code = WEXITSTATUS(status);
        return;
      }
      const std::string text = out();
      const std::string mark = "http://127.0.0.1:";
      const std::size_t at = text.find(mark);
      if (at != std::string::npos && text.find("/\n", at) != std::string::npos) {
        port = static_cast<std::uint16_t>(std::stoi(text.substr(at + mark.size())));
        const std::size_t slash = text.find('/', at + mark.size());
        token = text.substr(slash + 1, text.find('/', slash + 1) - slash - 1);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    if (!ended_) {
      ::kill(process_, SIGKILL);
      ::waitpid(process_, nullptr, 0);
    }
    std::error_code ignored;
    fs::remove_all(home_, ignored);
  }

  std::string out() const { return read_file(home_ / "out"); }
  std::string err() const { return read_file(home_ / "err"); }
  const fs::path& home() const { return home_; }
  pid_t process() const { return process_; }

  // Ctrl-C; returns the last line.
  std::string end() {
    ::kill(process_, SIGINT);
    int status = 0;
    ::waitpid(process_, &status, 0);
    ended_ = true;
    code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    std::string text = out();
    while (text.ends_with('\n')) text.pop_back();
    return text.substr(text.rfind('\n') + 1);
  }

  int connect() const {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in name = {};
    name.sin_family = AF_INET;
    name.sin_port = htons(port);
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket, reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0) return socket;
    ::close(socket);
    return -1;
  }

  // Sends what may be no request at all, and returns all that comes back.
  std::string send(const std::string& text) const {
    const int socket = connect();
    if (socket < 0) return "";
    const timeval patience = {60, 0};
    ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    for (std::size_t sent = 0; sent < text.size();) {
      const ssize_t now = ::send(socket, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
      if (now <= 0) break;
      sent += static_cast<std::size_t>(now);
    }
    std::string answer;
    char piece[4096];
    for (ssize_t size; (size = ::read(socket, piece, sizeof piece)) > 0;)
      answer.append(piece, static_cast<std::size_t>(size));
    ::close(socket);
    return answer;
  }

  // The status and the body.
  std::string ask(const std::string& method, const std::string& path, const std::string& body = "") const {
    const std::string answer = send(
        method + " /" + token + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
        "\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
        "\r\n\r\n" + body);
    const std::size_t head = answer.find("\r\n\r\n");
    if (head == std::string::npos) return answer;
    return answer.substr(9, 3) + " " + answer.substr(head + 4);
  }

  std::uint16_t port = 0;
  std::string token;
  int code = -1;  // if it has ended

 private:
  fs::path home_;
  pid_t process_ = 0;
  bool ended_ = false;
};

TEST(ExplorerServer, AnswersAndEndsOnCtrlC) {
  Running explorer({"two_phase_commit"});
  EXPECT_THAT(explorer.token, MatchesRegex("[0-9a-f]{32}"));
  EXPECT_THAT(explorer.ask("GET", "/"), StartsWith("200 <!doctype html>"));
  EXPECT_THAT(explorer.ask("GET", "/"), HasSubstr("default-src 'none'; connect-src 'self'; script-src 'sha256-"));
  EXPECT_THAT(explorer.ask("POST", "/api/look", "{}"), StartsWith("200 {\"finding\""));
  EXPECT_THAT(explorer.ask("POST", "/api/look", R"({"path": [77]})"), StartsWith("409 The model cannot go this way"));
  EXPECT_THAT(explorer.end(), MatchesRegex("ended: the explorer of two_phase_commit; 1 state looked at, .*"));
  EXPECT_EQ(explorer.code, 0);
}

TEST(ExplorerServer, TokensDiffer) {
  Running one({"two_phase_commit"}), other({"two_phase_commit"});
  EXPECT_NE(one.token, other.token);
  EXPECT_NE(one.port, other.port);
}

TEST(ExplorerServer, ListensOnTheLoopbackOnly) {
  Running explorer({"two_phase_commit"});
  std::string line, wanted;
  char port[8];
  std::snprintf(port, sizeof port, "%04X", explorer.port);
  std::ifstream table("/proc/net/tcp");
  std::vector<std::string> addresses;
  while (std::getline(table, line)) {
    const std::size_t at = line.find(std::string(":") + port + " 00000000:0000 0A");
    if (at != std::string::npos) addresses.push_back(line.substr(at - 8, 8));
  }
  EXPECT_THAT(addresses, ::testing::ElementsAre("0100007F"));
}

TEST(ExplorerServer, RefusesStrangers) {
  Running explorer({"two_phase_commit"});
  const std::string host = "Host: 127.0.0.1:" + std::to_string(explorer.port) + "\r\n";
  const std::string get = "GET /" + explorer.token + "/api/progress HTTP/1.1\r\n";
  EXPECT_THAT(explorer.send(get + host + "Connection: close\r\n\r\n"), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(explorer.send(get + host + "Origin: http://evil.example\r\nConnection: close\r\n\r\n"),
              StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(explorer.send(get + "Host: evil.example\r\nConnection: close\r\n\r\n"), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(explorer.send("GET / HTTP/1.1\r\n" + host + "Connection: close\r\n\r\n"),
              HasSubstr("The address lacks the token"));
  // No answer tells a browser to let other pages read it.
  EXPECT_THAT(explorer.send(get + host + "Connection: close\r\n\r\n"),
              ::testing::Not(HasSubstr("Access-Control-Allow-Origin")));
}

TEST(ExplorerServer, MalformedRequestsAreRefusedInWords) {
  Running explorer({"two_phase_commit"});
  EXPECT_THAT(explorer.send("nonsense\r\n\r\n"), StartsWith("HTTP/1.1 400"));
  EXPECT_THAT(explorer.send("GET / HTTP/9.9\r\n\r\n"), HasSubstr("This is no request of HTTP"));
  EXPECT_THAT(explorer.send("GET /" + std::string(100'000, 'a') + " HTTP/1.1\r\n\r\n"), StartsWith("HTTP/1.1 431"));
  EXPECT_THAT(
      explorer.send("POST /" + explorer.token + "/api/look HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n"),
      StartsWith("HTTP/1.1 413"));
  EXPECT_THAT(explorer.send(std::string(1'000, '\0')), StartsWith("HTTP/1.1 400"));
  EXPECT_THAT(explorer.ask("POST", "/api/look", "{\"path\": ["), StartsWith("400 request:1:"));
  EXPECT_THAT(explorer.ask("DELETE", "/"), StartsWith("405 "));
  EXPECT_THAT(explorer.ask("GET", "/api/progress"), StartsWith("200 "));
}

TEST(ExplorerServer, HasALimitOfConnections) {
  Running explorer({"two_phase_commit"});
  std::vector<int> open;
  for (int i = 0; i < 64; ++i) open.push_back(explorer.connect());
  EXPECT_THAT(explorer.send("x"), HasSubstr("too many connections"));
  for (const int socket : open) ::close(socket);
  for (int wait = 0; wait < 100 && !explorer.ask("GET", "/api/progress").starts_with("200"); ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_THAT(explorer.ask("GET", "/api/progress"), StartsWith("200 "));
}

TEST(ExplorerServer, SaysWhatToDoAboutAPortThatIsTaken) {
  Running first({"two_phase_commit"});
  Running second({"two_phase_commit", "--port", std::to_string(first.port)});
  EXPECT_EQ(second.code, 3);
  EXPECT_THAT(second.out(), HasSubstr("is taken; name another one with --port"));
  EXPECT_THAT(first.ask("GET", "/api/progress"), StartsWith("200 "));
}

TEST(ExplorerServer, SaysWhatIsWrongWithTheModel) {
  const Running unknown({"no_such_model"});
  EXPECT_EQ(unknown.code, 3);
  EXPECT_THAT(unknown.out(), HasSubstr("error: there is no model 'no_such_model'"));
  const Running option({"two_phase_commit", "--steps", "3"});
  EXPECT_EQ(option.code, 3);
}

TEST(ExplorerServer, OpensTheBrowserOnAFileThatOnlyTheUserCanRead) {
  const fs::path folder = fs::path(testing::TempDir()) / "heddle-explore-browser";
  fs::create_directories(folder);
  const fs::path seen = folder / "seen";
  fs::remove(seen);
  std::ofstream(folder / "xdg-open") << "#!/bin/sh\n/bin/ls -l \"$1\" > " << seen.string() << "\n/bin/cat \"$1\" >> "
                                     << seen.string() << "\n";
  fs::permissions(folder / "xdg-open", fs::perms::owner_all);
  const std::string path = folder.string() + ":" + std::getenv("PATH");
  Running explorer({"two_phase_commit", "--open"}, path);
  for (int wait = 0; wait < 100 && read_file(seen).find("refresh") == std::string::npos; ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_THAT(read_file(seen), StartsWith("-rw-------"));
  EXPECT_THAT(read_file(seen),
              HasSubstr("url=http://127.0.0.1:" + std::to_string(explorer.port) + "/" + explorer.token));
  std::ofstream(folder / "xdg-open") << "#!/bin/sh\nexit 3\n";
  Running without({"two_phase_commit", "--open"}, path);
  for (int wait = 0; wait < 100 && without.out().find("browser") == std::string::npos; ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_THAT(without.out(),
              HasSubstr("No browser was opened, because xdg-open found none. Open the address yourself."));
}

TEST(ExplorerServer, SearchesInTheBackground) {
  Running explorer({"two_phase_commit", "--bug", "commit_early"});
  EXPECT_THAT(explorer.ask("GET", "/api/progress"), HasSubstr("\"state\": \"idle\""));
  EXPECT_THAT(explorer.ask("POST", "/api/adopt", R"({"finding": 0})"), StartsWith("404 "));
  EXPECT_THAT(explorer.ask("POST", "/api/search", "{}"), StartsWith("200 "));
  std::string progress;
  for (int wait = 0; wait < 600 && progress.find("\"ended\"") == std::string::npos; ++wait) {
    progress = explorer.ask("GET", "/api/progress");
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_THAT(progress, HasSubstr("violated: consistent at depth 5"));
  const std::string position = explorer.ask("POST", "/api/adopt", R"({"finding": 0})");
  ASSERT_THAT(position, StartsWith("200 "));
  EXPECT_THAT(explorer.ask("POST", "/api/look", position.substr(4)), HasSubstr("\"verdict\": \"violated\""));
}

// A handler that crashes ends the process. It starts again under the same address, and then shows the crash as a step.
TEST(ExplorerServer, ComesBackAfterACrash) {
  const std::string model = R"(#include <heddle/heddle.h>
namespace {
using namespace heddle;
struct Breaks {
  int n = 0;
  void count() { if (++n == 2) *static_cast<volatile int*>(nullptr) = 1; }
  static constexpr auto transitions = heddle::transitions<&Breaks::count>;
};
const Register breaks({.name = "breaks", .summary = "crashes", .build = [](Model& m) {
  m.add<Breaks>();
  m.always("small", [](const View&) { return true; });
}});
}
)";
  const fs::path file = fs::path(testing::TempDir()) / "breaks.cpp";
  std::ofstream(file) << model;
  Running explorer({file.string()});
  ASSERT_NE(explorer.port, 0) << explorer.out() << explorer.err();
  std::string answer;
  for (int wait = 0; wait < 100 && !answer.starts_with("200"); ++wait) {
    answer = explorer.ask("POST", "/api/look", R"({"path": [0]})");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  EXPECT_THAT(answer, StartsWith("200 "));
  EXPECT_THAT(explorer.ask("POST", "/api/look", R"({"path": [0, 0]})"), HasSubstr("used a bad pointer"));
  EXPECT_THAT(explorer.out(), HasSubstr("the explorer has started again"));
}

#ifndef __SANITIZE_THREAD__  // which holds a signal back until the thread that it came to waits
TEST(ExplorerServer, CtrlCEndsAlsoAHandlerThatDoesNot) {
  const std::string model = R"(#include <heddle/heddle.h>
namespace {
using namespace heddle;
struct Spins {
  int n = 0;
  void count() { ++n; while (n == 2) asm volatile(""); }
  static constexpr auto transitions = heddle::transitions<&Spins::count>;
};
const Register spins({.name = "spins", .summary = "", .build = [](Model& m) { m.add<Spins>(); }});
}
)";
  const fs::path file = fs::path(testing::TempDir()) / "spins.cpp";
  std::ofstream(file) << model;
  Running explorer({file.string()});
  ASSERT_NE(explorer.port, 0) << explorer.out() << explorer.err();
  std::thread waits([&] { explorer.ask("POST", "/api/look", R"({"path": [0]})"); });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  // The others are answered still.
  EXPECT_THAT(explorer.ask("GET", "/api/progress"), StartsWith("200 "));
  EXPECT_THAT(explorer.end(), StartsWith("ended: the explorer of spins"));
  waits.join();
}
#endif

}  // namespace
}  // namespace heddle::explorer::server_test
