// The table of markers by the kind of a step.
#include "report/glyphs.h"

namespace heddle::report {
namespace {

constexpr Glyphs unicode_glyphs = {
    .ascii = false,
    .lifeline = "│",
    .lifeline_down = "┊",
    .leaves_right = "├",
    .leaves_left = "┤",
    .line = "─",
    .crossing = "┼",
    .head_right = "▶",
    .head_left = "◀",
    .to = "─▶",
    .from = "◀─",
    .becomes = "→",
    .ellipsis = "…",
    .invoke = "▷",
    .respond = "◁",
    .good = "✓",
    .bad = "✗",
};

constexpr Glyphs ascii_glyphs = {
    .ascii = true,
    .lifeline = "|",
    .lifeline_down = ":",
    .leaves_right = "+",
    .leaves_left = "+",
    .line = "-",
    .crossing = "|",
    .head_right = ">",
    .head_left = "<",
    .to = "->",
    .from = "<-",
    .becomes = "->",
    .ellipsis = "..",
    .invoke = ">",
    .respond = "<",
    .good = "OK:",
    .bad = "X",
};

struct KnownKind {
  std::string_view kind, unicode, ascii;
  Style style;
  bool fault;
};

constexpr KnownKind known_kinds[] = {
    {"timeout", "◷", "@", Style::Name, false},   {"crash", "✗", "X", Style::Fault, true},
    {"recover", "↻", "^", Style::Fault, true},   {"lose", "↯", "!", Style::Fault, true},
    {"duplicate", "⊕", "&", Style::Fault, true}, {"partition", "⊘", "%", Style::Fault, true},
    {"heal", "○", "o", Style::Fault, true},      {"byzantine", "†", "#", Style::Fault, true},
};

}  // namespace

const Glyphs& glyphs(bool ascii) { return ascii ? ascii_glyphs : unicode_glyphs; }

Marker marker(std::string_view kind, bool ascii) {
  for (const KnownKind& known : known_kinds) {
    if (known.kind == kind) return {ascii ? known.ascii : known.unicode, known.style, known.fault};
  }
  return {ascii ? "*" : "●", Style::Name, false};
}

}  // namespace heddle::report
