// Compresses and encodes the finding, and puts it in the place of the page's mark.
#include "report/page.h"

#include <fmt/format.h>
#define ZLIB_CONST  // zlib does not change what it compresses
#include <zlib.h>

#include <cstdint>
#include <map>
#include <utility>

#include "report/json_text.h"
#include "report/json_view.h"
#include "report/numbers.h"
#include "report/trace_json.h"

namespace heddle::report {
namespace {

constexpr std::string_view place_of_finding = "{heddle-report}";

std::string gzip(std::string_view text) {
  z_stream stream = {};
  constexpr int window = 15, with_gzip_header = 16, memory = 8;
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, window + with_gzip_header, memory, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    throw std::bad_alloc();
  }
  std::string out;
  std::string piece(1U << 16U, '\0');
  constexpr std::size_t most = 1U << 30U;  // zlib counts in 32 bits
  int state = Z_OK;
  while (state != Z_STREAM_END) {
    if (stream.avail_in == 0 && !text.empty()) {
      const std::string_view next = text.substr(0, most);
      stream.next_in = reinterpret_cast<const Bytef*>(next.data());
      stream.avail_in = static_cast<uInt>(next.size());
      text.remove_prefix(next.size());
    }
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    state = deflate(&stream, text.empty() ? Z_FINISH : Z_NO_FLUSH);
    out.append(piece, 0, piece.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return out;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out += i + k <= bytes.size() ? digits[group >> (18U - 6U * k) & 63U] : '=';
    }
  }
  return out;
}

std::string source_text(const PageSource& source) {
  return fmt::format(R"({{"file": {}, "first": {}, "lines": {}}})", quoted(source.file), source.first,
                     quoted_list(source.lines));
}

}  // namespace

trace::Trace last_steps(const trace::Trace& trace, std::size_t most) {
  if (trace.steps.size() <= most) return trace;
  trace::Trace out = trace;
  const auto kept = out.steps.end() - static_cast<std::ptrdiff_t>(most);
  std::map<std::pair<std::uint32_t, std::string>, std::size_t> places;
  for (std::size_t i = 0; i < out.initial.size(); ++i) places[{out.initial[i].lane, out.initial[i].name}] = i;
  for (auto step = out.steps.begin(); step != kept; ++step) {
    for (const trace::Diff& diff : step->diffs) {
      const auto [place, is_new] = places.try_emplace({diff.lane, diff.name}, out.initial.size());
      if (is_new) out.initial.push_back({diff.lane, diff.name, diff.after});
      out.initial[place->second].value = diff.after;
    }
  }
  out.steps.erase(out.steps.begin(), kept);
  return out;
}

std::string page_document(const PageContent& content) {
  std::vector<std::string> left_out = content.left_out;
  std::string trace = "null";
  std::size_t before = 0;
  if (content.trace != nullptr) {
    if (const std::size_t steps = content.trace->steps.size(); steps > most_steps_of_a_page) {
      before = steps - most_steps_of_a_page;
      left_out.push_back(fmt::format("The run has {} steps. Only the last {} are in this page.", with_separators(steps),
                                     with_separators(most_steps_of_a_page)));
      trace = to_json(last_steps(*content.trace, most_steps_of_a_page));
    } else {
      trace = to_json(*content.trace);
    }
  }
  std::string sources;
  for (const PageSource& one : content.sources) sources += (sources.empty() ? "" : ",\n") + source_text(one);
  return fmt::format(
      "{{\"format\": \"heddle-report\", \"version\": 1, \"heddle\": {}, \"command\": {}, \"steps_before\": {},\n"
      "\"left_out\": {},\n\"sources\": [{}],\n\"run\": {},\n\"trace\": {}}}\n",
      quoted(content.version), quoted(content.command), before, quoted_list(left_out), sources,
      content.run.empty() ? "null" : content.run, trace);
}

std::string packed(std::string_view text) { return base64(gzip(text)); }

std::string with_finding(std::string_view page, std::string_view document) {
  const std::size_t place = page.find(place_of_finding);
  if (place == std::string_view::npos || page.find(place_of_finding, place + 1) != std::string_view::npos) {
    throw ReportError("the page of reports is damaged; build the component web again: scripts/component.sh web");
  }
  std::string out(page.substr(0, place));
  out += packed(document);
  out += page.substr(place + place_of_finding.size());
  return out;
}

}  // namespace heddle::report
