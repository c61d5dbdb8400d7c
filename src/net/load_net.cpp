// Reads the file, chooses the parser by its ending, and checks the net.
#include "net/load_net.h"

#include <fstream>
#include <iterator>

#include "net/net_parser.h"
#include "net/net_system.h"
#include "net/pnml.h"

namespace heddle::net {
namespace {

std::string read_file(const std::filesystem::path& path) {
  std::error_code error;
  std::ifstream file(path, std::ios::binary);
  // A directory can be opened, and reads as if it were empty.
  if (!file || std::filesystem::is_directory(path, error)) {
    throw ModelError(path.string() + ": the file cannot be read; check its name and its permissions");
  }
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

bool is_net_file(const std::filesystem::path& path) {
  return path.extension() == ".net" || path.extension() == ".pnml";
}

Net read_net(const std::filesystem::path& path) {
  if (!is_net_file(path)) throw ModelError(path.string() + ": this is no net; give the file the ending .net or .pnml");
  const std::string text = read_file(path);
  const bool is_pnml = path.extension() == ".pnml";
  return is_pnml ? parse_pnml(text, path.string()) : parse_net(text, path.string());
}

std::unique_ptr<TransitionSystem> load_net(const std::filesystem::path& path) {
  return std::make_unique<NetSystem>(read_net(path));
}

}  // namespace heddle::net
