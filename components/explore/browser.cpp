#include "browser.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

namespace heddle::explorer {

std::string open_browser(const std::string& url) {
  namespace fs = std::filesystem;
  const char* const own = std::getenv("XDG_RUNTIME_DIR");
  std::error_code error;
  const fs::path folder =
      own != nullptr && fs::is_directory(own, error) ? fs::path(own) : fs::temp_directory_path(error);
  std::string file = (folder / "heddle-explore-XXXXXX.html").string();
  const int out = ::mkostemps(file.data(), 5, O_CLOEXEC);  // readable by this user only
  if (out < 0) return fmt::format("no file can be written to {}", folder.string());
  const std::string text = fmt::format(
      "<!doctype html><meta charset=\"utf-8\"><title>Heddle</title><meta name=\"referrer\" content=\"no-referrer\">"
      "<meta http-equiv=\"refresh\" content=\"0; url={0}\"><a href=\"{0}\">the explorer</a>\n",
      url);
  const bool written = ::write(out, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::close(out);
  if (!written) return fmt::format("{} cannot be written", file);
  const pid_t child = ::fork();
  if (child < 0) return "no process can be started";
  if (child == 0) {
    const int nowhere = ::open("/dev/null", O_RDWR);
    if (nowhere < 0) ::_exit(126);
    for (const int descriptor : {0, 1, 2}) ::dup2(nowhere, descriptor);
    ::close_range(3, ~0U, 0);  // the server's socket among them
    ::execlp("xdg-open", "xdg-open", file.c_str(), nullptr);
    ::_exit(127);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  ::unlink(file.c_str());
  return WIFEXITED(status) && WEXITSTATUS(status) == 127 ? "there is no xdg-open" : "xdg-open found none";
}

}  // namespace heddle::explorer
