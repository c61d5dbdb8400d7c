// From a file's name to a system ready for a search: what the command line needs of this folder.
// Thread-safe: nothing is shared between calls.
#pragma once

#include <filesystem>
#include <memory>

#include "core/transition_system.h"
#include "net/net.h"

namespace heddle::net {

// By its extension alone: .net (docs/nets.md) or .pnml (net/pnml.h).
bool is_net_file(const std::filesystem::path& path);

// Both throw ModelError if the file cannot be read or is wrong, with its position.
Net read_net(const std::filesystem::path& path);
std::unique_ptr<TransitionSystem> load_net(const std::filesystem::path& path);

}  // namespace heddle::net
