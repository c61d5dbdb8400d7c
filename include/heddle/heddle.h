// Everything a modeller needs. A complete model:
//
//   #include <heddle/heddle.h>
//   namespace {
//   using namespace heddle;
//
//   struct Server;
//   struct Request {};
//   struct Grant {};
//
//   struct Client {
//     bool asked = false, holds = false;
//     void ask(To<Server, Request> out) { require(!asked); asked = true; out.send({}); }
//     void enter(const Grant&) { holds = true; }
//     static constexpr auto transitions = heddle::transitions<&Client::ask, &Client::enter>;
//   };
//   struct Server {
//     bool free = true;
//     void grant(const Request&, Reply<Grant> out) { require(free); free = false; out.send({}); }
//     static constexpr auto transitions = heddle::transitions<&Server::grant>;
//   };
//
//   const Register lock({.name = "lock", .summary = "a lock server", .build = [](Model& m) {
//     m.add<Client>(2);
//     m.add<Server>();
//     m.always("mutual exclusion", [](const View& v) {
//       int holders = 0;
//       for (const Client& c : v.all<Client>()) holders += c.holds;
//       return holders <= 1;
//     });
//   }});
//   }
//
// Inside a namespace, unnamed or not, a model may use any name. A struct View of the model hides heddle::View
// there, and properties then write heddle::View.
//
// `heddle check lock.cpp` explores every schedule of the model. handler.h lists what a transition can take,
// fields.h which fields mean something, model.h what a model can say, and id.h how processes are named. Three
// headers are included only where they are used: refinement.h relates a protocol to an abstract object,
// qtree.h is such an object for consensus, and harness.h describes clients that read and write.
#pragma once

#include "heddle/auxiliary.h"
#include "heddle/fields.h"
#include "heddle/handler.h"
#include "heddle/id.h"
#include "heddle/model.h"
#include "heddle/role.h"
#include "heddle/run.h"
