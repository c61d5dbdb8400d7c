// A model in its own namespace may use any name, even those of the library. An unnamed namespace behaves alike.
#include <gtest/gtest.h>

#include <string>

#include "heddle/heddle.h"
#include "support/explored.h"

namespace view_change {

using namespace heddle;

struct Server;
// Names that every protocol has, and some more.
struct View {
  int number = 0;
};
struct Register {
  int value = 0;
};
struct Answer {
  View view;
  Register value;
};
struct Reply {};
struct Network {
  View view;
};
struct Timer {
  int left = 1;
};
struct Run {
  int length = 2;
};
enum class Choice { a, b };

struct Client {
  Choice choice = Choice::a;
  int answers = 0;
  Run run;
  void ask(ToAll<Server, Network> out) {
    require(run.length > 0);
    --run.length;
    out.send({View{run.length}});
  }
  void note(const Answer& answer) {
    answers += answer.value.value;
    if (answer.view.number == 1) choice = Choice::b;
  }
  static constexpr auto transitions = heddle::transitions<&Client::ask, &Client::note>;
};
struct Server {
  View view;
  Timer timer;
  Register store;
  void tick(heddle::Timeout, const heddle::Run& of_heddle) {
    require(timer.left > 0 && of_heddle.count<Server>() == 2);
    --timer.left;
  }
  void serve(const Network& request, heddle::Reply<Answer> out) {
    view = request.view;
    ++store.value;
    out.send({view, store});
  }
  static constexpr auto transitions = heddle::transitions<&Server::tick, &Server::serve>;
};

const heddle::Definition definition{.name = "view_change", .summary = "", .build = [](Model& m) {
                                      m.add<Client>();
                                      m.add<Server>(2);
                                      m.always("views", [](const heddle::View& v) {
                                        for (const Server& s : v.all<Server>()) {
                                          if (s.view.number > 1) return false;
                                        }
                                        return true;
                                      });
                                    }};

TEST(OwnNames, HideThoseOfTheLibrary) {
  const Explored e = explore(heddle::Model(definition));
  EXPECT_EQ(e.result.verdict, Verdict::Holds);
  // Each server has served both requests, in any order.
  EXPECT_EQ(count_with(e.finals, "client.answers=6"), e.finals.size());
  EXPECT_EQ(count_with(e.finals, R"(client.choice="b")"), e.finals.size());
  EXPECT_EQ(e.finals.size(), 4u);
}

}  // namespace view_change
