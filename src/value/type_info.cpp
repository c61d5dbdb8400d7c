// Turns the descriptions of types and roles into what a run uses, once a model is built.
#include "heddle/detail/type_info.h"

#include "heddle/detail/transition_info.h"

namespace heddle::detail {
namespace {

TransitionInfo transition_of(const HandlerInfo& handler) {
  TransitionInfo info;
  info.name = handler.name;
  info.run = handler.run;
  for (const ParameterInfo& p : handler.parameters) {
    switch (p.kind) {
      case ParameterInfo::Kind::Message:
        info.consumes = &p.type();
        info.sender = p.role;
        info.quorum = p.quorum;
        break;
      case ParameterInfo::Kind::Reply:
        info.sends.push_back({&p.type(), Target::Reply, nullptr});
        break;
      case ParameterInfo::Kind::To:
        info.sends.push_back({&p.type(), Target::One, p.role});
        break;
      case ParameterInfo::Kind::ToAll:
        info.sends.push_back({&p.type(), Target::All, p.role});
        break;
      case ParameterInfo::Kind::Operation:
        info.operation = true;
        break;
      case ParameterInfo::Kind::Choice:
        info.choice = true;
        break;
      case ParameterInfo::Kind::Spawn:
        info.spawns.push_back(p.role);
        break;
      case ParameterInfo::Kind::Exit:
        info.exits = true;
        break;
      case ParameterInfo::Kind::Ghost:
        info.ghost = true;
        break;
      case ParameterInfo::Kind::Timeout:
        info.timeout = true;
        break;
      case ParameterInfo::Kind::Self:
        info.self = true;
        break;
      case ParameterInfo::Kind::Run:
        break;
    }
  }
  return info;
}

}  // namespace

TypeInfo::TypeInfo(const Shape& type)
    : name(type.name), shape(&type), forget(type), only_auxiliary(type.only_auxiliary()), parts(type) {}
TypeInfo::~TypeInfo() = default;

RoleInfo::RoleInfo(const Shape& role, const RoleTag* member_of, ListOf<HandlerInfo> handlers)
    : name(role.name), shape(&role), tag(member_of), forget(role), parts(role) {
  for (const HandlerInfo& handler : handlers) transitions.push_back(transition_of(handler));
}
RoleInfo::~RoleInfo() = default;

}  // namespace heddle::detail
