// One pass collects objects by id, a second one resolves references and arcs.
#include "net/pnml.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <pugixml.hpp>
#include <unordered_map>
#include <unordered_set>

namespace heddle::net {
namespace {

using pugi::xml_node;

constexpr std::size_t max_page_depth = 100;
constexpr std::string_view ptnet = "http://www.pnml.org/version-2009/grammar/ptnet";

// Returns an element's name without the namespace prefix. PNML uses only one namespace.
std::string_view local_name(xml_node node) {
  const std::string_view name = node.name();
  return name.substr(name.find(':') + 1);  // npos + 1 == 0
}

bool contains(std::initializer_list<std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// Editors fold long names over several lines. A name in messages and traces is one line.
std::string one_line(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\r' || c == '\n';
    if (!blank) {
      result += c;
    } else if (!result.empty() && result.back() != ' ') {
      result += ' ';
    }
  }
  if (result.ends_with(' ')) result.pop_back();
  return result;
}

// Sorts by place and adds up parallel arcs. Returns false if a sum is beyond max_tokens.
bool merge_parallel(std::vector<Arc>& arcs) {
  std::ranges::sort(arcs, {}, &Arc::place);
  std::vector<Arc> merged;
  for (const Arc& arc : arcs) {
    if (merged.empty() || merged.back().place != arc.place) {
      merged.push_back(arc);
    } else {
      if (arc.weight > max_tokens - merged.back().weight) return false;
      merged.back().weight += arc.weight;
    }
  }
  arcs = std::move(merged);
  return true;
}

class PnmlReader {
 public:
  PnmlReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Net read() {
    const pugi::xml_parse_result result = document_.load_buffer(text_.data(), text_.size());
    latin1_ = result.encoding == pugi::encoding_latin1;
    if (!latin1_ && result.encoding != pugi::encoding_utf8) {
      throw error_at(file_, 1, 1, "the encoding is not supported; convert the file to UTF-8, for example with iconv");
    }
    if (!result) fail(result.offset, std::string("this is not well-formed XML: ") + result.description());
    const xml_node net = the_net();
    read_container(net, 0);
    if (net_.places.empty()) fail(net, "the net has no place; a net needs at least one");
    // References that no arc uses are resolved as well: a file that says something impossible is not to be trusted.
    for (const xml_node reference : references_) resolve(reference, "id");
    for (const xml_node arc : arcs_) read_arc(arc);
    for (Transition& transition : net_.transitions) {
      if (!merge_parallel(transition.inputs) || !merge_parallel(transition.outputs)) {
        fail(net, "the parallel arcs of transition '" + transition.name +
                      "' weigh more than 4294967294 together; scale the net down");
      }
    }
    choose_names(net_.places, place_names_);
    choose_names(net_.transitions, transition_names_);
    return std::move(net_);
  }

 private:
  // A place, a transition, or a reference to one.
  struct Object {
    xml_node node;
    bool is_place = false;
    bool is_reference = false;
    std::uint32_t index = 0;  // into places or transitions; not used by a reference
  };

  // pugixml counts in the UTF-8 text that it works on. There each Latin-1 character beyond ASCII has become
  // two bytes.
  [[noreturn]] void fail(std::ptrdiff_t offset, const std::string& message) const {
    std::size_t line = 1, column = 1;
    std::ptrdiff_t at = 0;
    for (std::size_t i = 0; i < text_.size() && at < offset; ++i) {
      at += latin1_ && static_cast<unsigned char>(text_[i]) >= 0x80 ? 2 : 1;
      column = text_[i] == '\n' ? 1 : column + 1;
      line += text_[i] == '\n';
    }
    throw error_at(file_, line, column, message);
  }
  [[noreturn]] void fail(xml_node node, const std::string& message) const { fail(node.offset_debug(), message); }

  [[noreturn]] void fail_unsupported(xml_node child) const {
    const std::string parent(local_name(child.parent()));
    if (child.type() != pugi::node_element) {
      fail(child, "text directly inside <" + parent + "> has no meaning; remove it or put it into <text>");
    }
    fail(child, "<" + std::string(local_name(child)) + "> inside <" + parent +
                    "> is not supported; only plain P/T nets are, so remove it or export the net as one");
  }

  void check_attributes(xml_node node, std::initializer_list<std::string_view> known) const {
    for (const pugi::xml_attribute attribute : node.attributes()) {
      const std::string_view name = attribute.name();
      if (contains(known, name) || name.starts_with("xmlns") || name.starts_with("xml:")) continue;
      fail(node, "attribute '" + std::string(name) + "' of <" + std::string(local_name(node)) +
                     "> is not supported; remove it or export the net as a plain P/T net");
    }
  }

  std::string attribute(xml_node node, const char* name) const {
    std::string value = node.attribute(name).value();
    if (value.empty()) {
      fail(node, "<" + std::string(local_name(node)) + "> has no attribute '" + name + "'; add it");
    }
    return value;
  }

  xml_node the_net() const {
    const xml_node root = document_.document_element();
    if (local_name(root) != "pnml") fail(root, "the root element is not <pnml>; this is no PNML file");
    xml_node net;
    for (const xml_node child : root.children()) {
      if (local_name(child) == "toolspecific") continue;
      if (local_name(child) != "net") fail_unsupported(child);
      if (net) fail(child, "the file holds more than one net; put each into a file of its own");
      net = child;
    }
    if (!net) fail(root, "there is no <net> inside <pnml>; add one");
    check_attributes(net, {"id", "type"});
    const std::string type = attribute(net, "type");
    if (type != ptnet) {
      fail(net, "net type '" + type + "' is not supported; unfold or export the net as " + std::string(ptnet));
    }
    return net;
  }

  // Reads the contents of a net or of a page. Arcs are read later than nodes, since they may point forward.
  void read_container(xml_node container, std::size_t depth) {
    if (depth > max_page_depth) fail(container, "pages are nested more than 100 levels deep; flatten them");
    for (const xml_node child : container.children()) {
      const std::string_view name = local_name(child);
      if (name == "page") {
        check_attributes(child, {"id"});
        read_container(child, depth + 1);
      } else if (name == "place") {
        read_place(child);
      } else if (name == "transition") {
        read_transition(child);
      } else if (name == "referencePlace") {
        read_reference(child, true);
      } else if (name == "referenceTransition") {
        read_reference(child, false);
      } else if (name == "arc") {
        arcs_.push_back(child);
      } else if (!contains({"name", "graphics", "toolspecific"}, name)) {
        fail_unsupported(child);
      }
    }
  }

  std::string add_object(const Object& object) {
    std::string id = attribute(object.node, "id");
    if (id.find_first_of("\"\r\n") != std::string::npos) {
      fail(object.node, "the id holds a quote or a line end; XML does not allow that in an id, rename it");
    }
    if (!objects_.emplace(id, object).second) fail(object.node, "id '" + id + "' is used twice; rename one");
    return id;
  }

  void read_place(xml_node node) {
    check_attributes(node, {"id"});
    std::uint32_t tokens = 0;
    if (const xml_node marking = the_label(node, "initialMarking")) tokens = number(marking);
    const auto index = static_cast<std::uint32_t>(net_.places.size());
    net_.places.push_back({add_object({node, true, false, index}), tokens});
    place_names_.push_back(name_of(node));
  }

  void read_transition(xml_node node) {
    check_attributes(node, {"id"});
    the_label(node, "");
    const auto index = static_cast<std::uint32_t>(net_.transitions.size());
    net_.transitions.push_back({add_object({node, false, false, index}), {}, {}});
    transition_names_.push_back(name_of(node));
  }

  void read_reference(xml_node node, bool is_place) {
    check_attributes(node, {"id", "ref"});
    the_label(node, "");
    add_object({node, is_place, true, 0});
    references_.push_back(node);
  }

  // Returns the child called `label`, which may be missing but not repeated. Complains about children with
  // another meaning.
  xml_node the_label(xml_node node, std::string_view label) const {
    xml_node found;
    for (const xml_node child : node.children()) {
      const std::string_view name = local_name(child);
      if (contains({"name", "graphics", "toolspecific"}, name)) continue;
      if (name.empty() || name != label) fail_unsupported(child);
      if (found) fail(child, "<" + std::string(label) + "> is given twice; remove one");
      found = child;
    }
    return found;
  }

  std::string text_of(xml_node label) const {
    std::string text;
    for (const xml_node child : label.children()) {
      if (local_name(child) == "text") {
        if (child != label.find_child([](xml_node other) { return local_name(other) == "text"; })) {
          fail(child, "<text> is given twice; remove one");
        }
        for (const xml_node part : child.children()) {
          if (part.type() == pugi::node_element) fail_unsupported(part);
          text += part.value();
        }
      } else if (!contains({"graphics", "toolspecific"}, local_name(child))) {
        fail_unsupported(child);
      }
    }
    return one_line(text);
  }

  std::string name_of(xml_node node) const {
    for (const xml_node child : node.children()) {
      if (local_name(child) == "name") return text_of(child);
    }
    return {};
  }

  std::uint32_t number(xml_node label) const {
    const std::string text = text_of(label);
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value > max_tokens) {
      fail(label, "<" + std::string(local_name(label)) + "> is '" + text + "'; write a number from 0 to 4294967294");
    }
    return value;
  }

  const Object& object(xml_node user, const char* attribute_name) const {
    const std::string id = attribute(user, attribute_name);
    const auto found = objects_.find(id);
    if (found == objects_.end()) fail(user, "there is no node with id '" + id + "'; correct the id or add the node");
    return found->second;
  }

  // Follows references to the node that they stand for. A chain with more links than objects runs in a circle.
  const Object& resolve(xml_node user, const char* attribute_name) const {
    const Object* at = &object(user, attribute_name);
    for (std::size_t hops = 0; at->is_reference; ++hops) {
      const Object& next = object(at->node, "ref");
      if (next.is_place != at->is_place) {
        fail(at->node,
             "the reference leads to a node of the other kind; use referencePlace for places and "
             "referenceTransition for transitions");
      }
      if (hops > objects_.size()) fail(at->node, "the reference leads back to itself; let it refer to a real node");
      at = &next;
    }
    return *at;
  }

  void read_arc(xml_node node) {
    check_attributes(node, {"id", "source", "target"});
    check_arc_type(node);
    const xml_node inscription = the_label(node, "inscription");
    const std::uint32_t weight = inscription ? number(inscription) : 1;
    if (weight == 0) fail(inscription, "an arc of weight 0 does nothing; remove it");
    const Object& source = resolve(node, "source");
    const Object& target = resolve(node, "target");
    if (source.is_place == target.is_place)
      fail(node, "the arc joins two nodes of one kind; join a place and a transition");
    if (source.is_place) {
      net_.transitions[target.index].inputs.push_back({source.index, weight});
    } else {
      net_.transitions[source.index].outputs.push_back({target.index, weight});
    }
  }

  // This is not in the standard, but several tools mark inhibitor, read and reset arcs so.
  void check_arc_type(xml_node arc) const {
    for (const xml_node child : arc.children()) {
      if (local_name(child) != "type" && local_name(child) != "arctype") continue;
      std::string type = child.attribute("value").value();
      if (type.empty()) type = child.child("text") ? text_of(child) : one_line(child.child_value());
      fail(child, "arcs of type '" + type + "' are not supported; export the net with normal arcs only");
    }
  }

  // Names are for people and may repeat; ids do not. REQUIRES: `things` still carry their ids.
  template <typename Named>
  static void choose_names(std::vector<Named>& things, const std::vector<std::string>& names) {
    std::unordered_map<std::string, std::size_t> uses;
    for (std::size_t i = 0; i < things.size(); ++i) {
      ++uses[things[i].name];
      if (names[i] != things[i].name) ++uses[names[i]];
    }
    for (std::size_t i = 0; i < things.size(); ++i) {
      const bool good = !names[i].empty() && names[i].find('"') == std::string::npos && uses[names[i]] == 1;
      if (good) things[i].name = names[i];
    }
  }

  std::string_view text_;
  const std::string& file_;
  bool latin1_ = false;
  pugi::xml_document document_;
  Net net_;
  std::vector<std::string> place_names_, transition_names_;
  std::unordered_map<std::string, Object> objects_;
  std::vector<xml_node> references_, arcs_;
};

}  // namespace

Net parse_pnml(std::string_view text, const std::string& file) { return PnmlReader(text, file).read(); }

}  // namespace heddle::net
