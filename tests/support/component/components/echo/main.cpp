// heddle-echo: the smallest component. It answers with what it was told, {"words": [...], "input": "..."}, and
// misbehaves if it is told to:
//   --exit N     ends with that exit code             --text     answers with something that is not JSON
//   --crash      is ended by a signal                 --wait F   writes its process id to F and waits for SIGTERM
//   --deaf       waits, and does not listen to SIGTERM
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

namespace {

volatile std::sig_atomic_t stopped = 0;
extern "C" void on_signal(int) { stopped = 1; }

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

void wait_for_signal(const std::string& file, bool deaf) {
  ::signal(SIGTERM, deaf ? SIG_IGN : on_signal);
  std::ofstream(file + ".new") << ::getpid();
  std::rename((file + ".new").c_str(), file.c_str());
  for (int tenths = 0; tenths < 600 && stopped == 0; ++tenths) ::usleep(100'000);
}

}  // namespace

int main(int argc, char** argv) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // whoever has called is gone: nobody reads the answer
  std::string words;
  int exit_code = 0;
  bool text = false, deaf = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    words += (i > 1 ? ", " : "") + quoted(word);
    if (word == "--exit" && i + 1 < argc) exit_code = std::atoi(argv[i + 1]);
    if (word == "--crash") ::raise(SIGSEGV);
    if (word == "--text") text = true;
    if (word == "--deaf") deaf = true;
    if (word == "--wait" && i + 1 < argc) wait_for_signal(argv[i + 1], deaf);
  }
  if (stopped != 0) exit_code = 2;
  const std::string input{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
  if (text) {
    std::cout << "hello\n";
  } else {
    std::cout << "{\"words\": [" << words << "], \"input\": " << quoted(input) << "}\n";
  }
  return exit_code;
}
