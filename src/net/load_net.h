// Makes a system from a file: all that the command line needs of this folder.
// Thread-safe: nothing is shared between calls.
#pragma once

#include <filesystem>
#include <memory>

#include "core/transition_system.h"
#include "net/net.h"

namespace heddle::net {

// Looks only at the extension: .net (docs/nets.md) or .pnml (net/pnml.h).
bool is_net_file(const std::filesystem::path& path);

// Both throw ModelError with a position if the file cannot be read or is wrong.
Net read_net(const std::filesystem::path& path);
std::unique_ptr<TransitionSystem> load_net(const std::filesystem::path& path);

}  // namespace heddle::net
