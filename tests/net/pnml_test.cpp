#include "net/pnml.h"

#include <gtest/gtest.h>

#include "net/net_printer.h"

namespace heddle::net::pnml_test {
namespace {

constexpr const char* ptnet = "http://www.pnml.org/version-2009/grammar/ptnet";

std::string error_of(const std::string& text) {
  try {
    return "no error, but:\n" + to_text(parse_pnml(text, "x.pnml"));
  } catch (const ModelError& error) {
    return error.what();
  }
}

// A net with this page content, which begins on line 2.
std::string file_with(const std::string& content, const std::string& type = ptnet) {
  return "<pnml xmlns='http://www.pnml.org/version-2009/grammar/pnml'><net id='n' type='" + type + "'><page id='g'>\n" +
         content + "\n</page></net></pnml>\n";
}

TEST(Pnml, ReadsNestedPagesReferencesAndParallelArcs) {
  const Net net = parse_pnml(R"(<?xml version="1.0" encoding="UTF-8"?>
<!-- a comment -->
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
  <net id="n1" type="http://www.pnml.org/version-2009/grammar/ptnet">
    <name><text>nested</text></name>
    <toolspecific tool="editor" version="1"><colour>red</colour></toolspecific>
    <page id="top">
      <arc id="a1" source="p1" target="t1"><inscription><text> 2 </text><graphics/></inscription></arc>
      <place id="p1"><name><text>in
           box</text><graphics/></name><graphics><position x="1" y="2"/></graphics>
        <initialMarking><text>3</text></initialMarking></place>
      <transition id="t1"><name><text>move</text></name></transition>
      <page id="inner">
        <name><text>inner page</text></name>
        <place id="p2"><name><text>same</text></name></place>
        <place id="p3"><name><text>same</text></name></place>
        <referencePlace id="r1" ref="r2"/>
        <referencePlace id="r2" ref="p1"/>
        <referenceTransition id="r3" ref="t1"><graphics/></referenceTransition>
        <arc id="a2" source="r3" target="p2"/>
        <arc id="a3" source="t1" target="p2"><inscription><text><![CDATA[4]]></text></inscription></arc>
        <page id="innermost"><transition id="t2"/><arc id="a4" source="r1" target="t2"/></page>
      </page>
    </page>
  </net>
</pnml>)",
                             "x.pnml");
  EXPECT_EQ(to_text(net),
            "place \"in box\" 3\nplace p2\nplace p3\n"
            "transition move: 2*\"in box\" -> 5*p2\n"
            "transition t2: \"in box\" ->\n");
}

TEST(Pnml, ReadsNamespacePrefixesAndLatin1) {
  const Net net = parse_pnml(
      "<?xml version='1.0' encoding='ISO-8859-1'?><x:pnml xmlns:x='u'><x:net id='n' "
      "type='http://www.pnml.org/version-2009/grammar/ptnet'><x:page id='g'><x:place "
      "id='p'><x:name><x:text>\xE4</x:text>"
      "</x:name></x:place></x:page></x:net></x:pnml>",
      "x.pnml");
  EXPECT_EQ(net.places.at(0).name, "\xC3\xA4");
}

TEST(Pnml, PrefersIdsToAmbiguousNames) {
  const std::string name = "<name><text>b</text></name>", quote = "<name><text>\"</text></name>";
  // The name of `a` is the id of `b`; the name of `c` could not be quoted in a .net file.
  const Net net = parse_pnml(file_with("<place id='a'>" + name + "</place><place id='b'/><place id='c'>" + quote +
                                       "</place><transition id='t'>" + name + "</transition>"),
                             "x.pnml");
  EXPECT_EQ(to_text(net), "place a\nplace b\nplace c\ntransition b: ->\n");
}

TEST(Pnml, CountsLinesOfLatin1Files) {
  const std::string error =
      error_of("<?xml version='1.0' encoding='ISO-8859-1'?><!-- \xE4\xE4\xE4\xE4\xE4\xE4 -->\n<pnml>\n<x/></pnml>");
  EXPECT_TRUE(error.starts_with("x.pnml:3:2: <x> inside <pnml> is not supported")) << error;
}

struct Mistake {
  std::string text;
  std::string error;
};

class PnmlMistake : public testing::TestWithParam<Mistake> {};

TEST_P(PnmlMistake, IsReportedWhereItIs) {
  const std::string error = error_of(GetParam().text);
  EXPECT_TRUE(error.starts_with(GetParam().error)) << "expected " << GetParam().error << "\ngot      " << error;
}

const std::string place = "<place id='p'/>", nodes = place + "<transition id='t'/>";

std::string deep_pages() {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "<page>";
  for (int i = 0; i < 200; ++i) text += "</page>";
  return text;
}

INSTANTIATE_TEST_SUITE_P(
    All, PnmlMistake,
    testing::Values(
        Mistake{"", "x.pnml:1:1: this is not well-formed XML: No document element found"},
        Mistake{"<pnml>\n <net></pnml>", "x.pnml:2:9: this is not well-formed XML"},
        Mistake{"<html/>", "x.pnml:1:2: the root element is not <pnml>"},
        Mistake{"<pnml/>", "x.pnml:1:2: there is no <net>"},
        Mistake{std::string("\xFF\xFE<\0", 4), "x.pnml:1:1: the encoding is not supported"},
        Mistake{file_with(""), "x.pnml:1:62: the net has no place"},
        Mistake{
            file_with(place, "http://www.pnml.org/version-2009/grammar/symmetricnet"),
            "x.pnml:1:62: net type 'http://www.pnml.org/version-2009/grammar/symmetricnet' is not supported; unfold"},
        Mistake{"<pnml><net id='n'/></pnml>", "x.pnml:1:8: <net> has no attribute 'type'"},
        Mistake{"<pnml><net type='" + std::string(ptnet) + "'/><net/></pnml>",
                "x.pnml:1:68: the file holds more than one"},
        Mistake{file_with("<declaration/>"), "x.pnml:2:2: <declaration> inside <page> is not supported"},
        Mistake{file_with("<place/>"), "x.pnml:2:2: <place> has no attribute 'id'"},
        Mistake{file_with("<place id='a&#10;b'/>"), "x.pnml:2:2: the id holds a quote or a line end"},
        Mistake{file_with(place + "\n<transition id='p'/>"), "x.pnml:3:2: id 'p' is used twice"},
        Mistake{file_with("<place id='p'>5</place>"), "x.pnml:2:15: text directly inside <place>"},
        Mistake{file_with("<place id='p'>\n<capacity/></place>"),
                "x.pnml:3:2: <capacity> inside <place> is not supported"},
        Mistake{file_with("<place id='p' capacity='1'/>"),
                "x.pnml:2:2: attribute 'capacity' of <place> is not supported"},
        Mistake{file_with("<place id='p'><hlinitialMarking/></place>"),
                "x.pnml:2:16: <hlinitialMarking> inside <place>"},
        Mistake{file_with("<place id='p'><initialMarking><text>-1</text></initialMarking></place>"),
                "x.pnml:2:16: <initialMarking> is '-1'; write a number"},
        Mistake{file_with("<place id='p'><initialMarking><text>1x</text></initialMarking></place>"),
                "x.pnml:2:16: <initialMarking> is '1x'; write a number"},
        Mistake{file_with("<place id='p'><initialMarking/></place>"),
                "x.pnml:2:16: <initialMarking> is ''; write a number"},
        Mistake{file_with("<place id='p'><initialMarking><text>4294967295</text></initialMarking></place>"),
                "x.pnml:2:16: <initialMarking> is '4294967295'; write"},
        Mistake{file_with("<place id='p'><initialMarking><text>1</text><text>2</text></initialMarking></place>"),
                "x.pnml:2:46: <text> is given twice"},
        Mistake{file_with("<place id='p'><initialMarking><text>1<b>2</b></text></initialMarking></place>"),
                "x.pnml:2:39: <b> inside <text> is not supported"},
        Mistake{file_with("<place id='p'><initialMarking><value>1</value></initialMarking></place>"),
                "x.pnml:2:32: <value> inside <initialMarking> is not supported"},
        Mistake{file_with("<place id='p'><initialMarking><text>1</text></initialMarking>"
                          "<initialMarking><text>1</text></initialMarking></place>"),
                "x.pnml:2:63: <initialMarking> is given twice"},
        Mistake{file_with("<transition id='t'><condition/></transition>"),
                "x.pnml:2:21: <condition> inside <transition>"},
        Mistake{file_with(nodes + "\n<arc source='p'/>"), "x.pnml:3:2: <arc> has no attribute 'target'"},
        Mistake{file_with(nodes + "\n<arc source='p' target='u'/>"), "x.pnml:3:2: there is no node with id 'u'"},
        Mistake{file_with(nodes + "\n<arc source='p' target='p'/>"), "x.pnml:3:2: the arc joins two nodes of one kind"},
        Mistake{file_with(nodes + "\n<arc source='p' target='t'>\n<type value='inhibitor'/></arc>"),
                "x.pnml:4:2: arcs of type 'inhibitor' are not supported"},
        Mistake{file_with(nodes + "\n<arc source='p' target='t'>\n<type><text>reset</text></type></arc>"),
                "x.pnml:4:2: arcs of type 'reset' are not supported"},
        Mistake{file_with(nodes + "\n<arc source='p' target='t'><hlinscription/></arc>"),
                "x.pnml:3:29: <hlinscription> inside <arc> is not supported"},
        Mistake{file_with(nodes + "\n<arc source='p' target='t'><inscription><text>0</text></inscription></arc>"),
                "x.pnml:3:29: an arc of weight 0"},
        Mistake{file_with(nodes + "<arc source='p' target='t'><inscription><text>4294967294</text></inscription></arc>"
                                  "<arc source='p' target='t'/>"),
                "x.pnml:1:62: the parallel arcs of transition 't' weigh more"},
        Mistake{file_with(place + "<referencePlace id='r'/>"), "x.pnml:2:17: <referencePlace> has no attribute 'ref'"},
        Mistake{file_with(place + "<referencePlace id='r' ref='q'/>"), "x.pnml:2:17: there is no node with id 'q'"},
        Mistake{file_with(place + "<referencePlace id='r' ref='s'/><referencePlace id='s' ref='r'/>"),
                "x.pnml:2:17: the reference leads back to itself"},
        Mistake{file_with(place + "<referenceTransition id='r' ref='p'/>"),
                "x.pnml:2:17: the reference leads to a node of the other"},
        Mistake{file_with(deep_pages()), "x.pnml:2:596: pages are nested more than 100 levels deep"}));

}  // namespace
}  // namespace heddle::net::pnml_test
