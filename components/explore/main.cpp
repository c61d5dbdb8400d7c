// heddle-explore: the program behind `heddle explore`, with the same options. It shows a model in the browser.
#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "address.h"
#include "browser.h"
#include "cli/command_arguments.h"
#include "cli/command_line.h"
#include "cli/errors.h"
#include "cli/output.h"
#include "cli/run_arguments.h"
#include "cli/standard_output.h"
#include "core/budget.h"
#include "core/user_code.h"
#include "exploration.h"
#include "report/json_text.h"
#include "report/numbers.h"
#include "run/compile_model.h"
#include "run/report_page.h"
#include "run/words.h"
#include "search_process.h"
#include "server.h"
#include "service.h"

namespace {

using namespace heddle;
using namespace heddle::explorer;

int finish(const cli::Output& output, const Exploration& exploration, const Service& service) {
  const double seconds = cli::command_seconds();
  return output.finish(fmt::format("ended: the explorer of {}; {} looked at, {}", exploration.instance().model,
                                   report::counted(service.looks(), "state"), report::seconds_text(seconds)),
                       fmt::format("{{\"model\": {}, \"looks\": {}, \"seconds\": {:.3f}}}",
                                   report::quoted(exploration.instance().model), service.looks(), seconds));
}

// Ctrl-C ends the program also if a handler of the model never returns.
std::jthread watch_for_interrupt(const std::function<void()>& end) {
  return std::jthread([end](const std::stop_token& stop) {
    constexpr auto glance = std::chrono::milliseconds(100);
    constexpr int patience = 10;  // glances
    for (int late = 0; !stop.stop_requested(); std::this_thread::sleep_for(glance)) {
      if (Budget::interrupted() && ++late > patience) end();
    }
  });
}

int serve(char** argv, const std::vector<std::string>& words, const cli::Arguments& given, const cli::Output& output) {
  const auto options = given.of<cli::ExploreOptions>();
  const Listening listening = listen(static_cast<std::uint16_t>(options.port));
  restart_on_failure(argv, ::fileno(cli::standard_output()));
  run::on_loading(cli::expect_the_worst);
  const cli::RunArguments arguments = cli::run_arguments(given);
  report::RunReport report;
  run::Instance instance = cli::open_instance(arguments, report);
  std::string command = "heddle";
  for (const std::string& word : words) command += " " + run::shell_quoted(word);
  Exploration exploration(std::move(instance), cli::build_options(arguments), command);
  exploration.look({});  // a mistake in the model is said here, not in a window
  SearchProcess search(words);
  Service service(exploration, search, live_page(run::report_page()));
  const Address& address = listening.address;
  const Server server(listening, [&](const Request& request, const Server::Reply& reply) {
    try {
      service.ask(read_request(request, address), reply);
    } catch (const Refusal& refusal) {
      reply(refused(refusal.status(), refusal.what()));
    }
  });
  if (const EarlierCrash* crash = earlier_crash(); crash != nullptr) {
    output.say(fmt::format("{} {}; the explorer has started again", crash->code, crash->how));
  } else {
    output.say(fmt::format("{} is at {}\nThe address is for you alone. Ctrl-C ends the explorer.",
                           exploration.instance().title(), address.url()));
    if (options.open) {
      const std::string why = open_browser(address.url());
      if (!why.empty()) output.say(fmt::format("No browser was opened, because {}. Open the address yourself.", why));
    }
  }
  const std::jthread watch = watch_for_interrupt([&] { std::_Exit(finish(output, exploration, service)); });
  service.work();
  return finish(output, exploration, service);
}

}  // namespace

int main(int argc, char** argv) {
  const bool searches = is_search_process();
  if (searches) ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  Budget::install_interrupt_handler();
  const std::vector<std::string> words(argv + 1, argv + argc);
  cli::CommandLine::Parsed parsed;
  std::string mistake;
  try {
    parsed = cli::heddle_command_line().parse(words);
    if (parsed.command == nullptr || parsed.command->name != "explore") mistake = "this is a part of `heddle explore`";
  } catch (const cli::UsageError& error) {
    mistake = error.what();
  }
  if (!mistake.empty()) {
    return cli::run_plainly(cli::Output({}), "explore",
                            [&](const cli::Output&) -> int { throw cli::UsageError(mistake); });
  }
  cli::keep_standard_output();
  cli::remember_command(words);
  if (searches) {
    restart_on_failure(argv, ::fileno(cli::standard_output()));
    return run_search_process(parsed.arguments);
  }
  const cli::Output output(parsed.arguments.of<cli::OutputOptions>());
  return cli::run_plainly(output, "explore",
                          [&](const cli::Output& out) { return serve(argv, words, parsed.arguments, out); });
}
