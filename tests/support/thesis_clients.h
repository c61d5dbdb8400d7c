// The clients of tables 2.1 and 2.2 in Cirisci's thesis (2022), and what the thesis says of them. Its libraries are A,
// the coarse list, B, the optimistic list, and C, the AVL map, in examples/native/.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace heddle::testing {

struct ThesisClient {
  const char* name;  // "A1": library and row
  const char* bug;   // "a": in add or put, "r": in remove
  const char* client;
  struct {
    int lin, n_lin;      // outcomes
    int bad, good;       // executions
    int events, edges;   // of an execution, on average; edges are conflicts
    int seconds, after;  // of everything, and of what follows the search
    const char* answer;  // how many different rankings; blocks -> good executions that they rule out
  } thesis;

  char library() const { return name[0]; }
  const char* file() const {
    return library() == 'A'   ? "coarse_list.cpp"
           : library() == 'B' ? "optimistic_list.cpp"
                              : "logical_ordering_avl_map.cpp";
  }
  std::vector<std::string> flags() const {
    const bool map = library() == 'C';
    std::vector<std::string> out;
    for (const char c : std::string(bug)) {
      out.emplace_back(c == 'a' ? map ? "-DBUG_SPLIT_PUT" : "-DBUG_LATE_LOCK_ADD"
                       : map    ? "-DBUG_SPLIT_REMOVE_READ"
                                : "-DBUG_LATE_LOCK_REMOVE");
    }
    return out;
  }
};

// In row A3 the thesis has the columns lin and n-lin swapped. In A9 it misses an outcome of either kind, in C9 one that
// is linearizable, and in C3 one in which a thread spins.
inline constexpr ThesisClient thesis_clients[] = {
    {"A1",
     "a",
     "remove(0); remove(1); add(1) | add(0); add(1); remove(1)",
     {10, 1, 9, 136, 58, 18, 12, 1, "1: [27,35] -> 0"}},
    {"A2",
     "a",
     "add(0); add(1); remove(1); add(1) | add(1); remove(0); remove(0); add(0)",
     {6, 13, 225, 109, 80, 30, 33, 4, "1: [27,35] -> 81"}},
    {"A3",
     "a",
     "add(1); add(1) | remove(1); remove(0) | add(0); remove(1)",
     {4, 12, 60, 325, 57, 36, 266, 4, "1: [27,35] -> 252"}},
    {"A4",
     "r",
     "add(1); add(1); remove(1) | remove(0); add(0); remove(1)",
     {3, 1, 18, 37, 56, 18, 10, 1, "1: [48,54] -> 9"}},
    {"A5",
     "r",
     "add(0); add(1); remove(1); remove(1) | add(1); remove(0); remove(1); add(1)",
     {22, 3, 54, 319, 80, 34, 24, 4, "1: [48,54] -> 153"}},
    {"A6",
     "r",
     "remove(1); add(0) | add(1); remove(1) | add(1); add(0)",
     {14, 12, 240, 265, 56, 38, 152, 2, "1: [48,54] -> 144"}},
    {"A7",
     "ar",
     "add(1); remove(1); add(1) | add(1); remove(1); add(1)",
     {12, 15, 109, 135, 55, 19, 16, 1, "1: [27,35] [48,54] -> 81"}},
    {"A8",
     "ar",
     "remove(1); add(1); remove(0); remove(0) | add(0); remove(1); add(0); add(1)",
     {11, 13, 153, 172, 74, 27, 29, 3, "1: [27,35] [48,54] -> 135"}},
    {"A9",
     "ar",
     "add(1); remove(1) | add(0); add(1) | remove(0); remove(1)",
     {13, 7, 168, 301, 57, 38, 485, 7, "1: [27,35] [48,54] -> 156"}},
    {"B1",
     "a",
     "remove(1); remove(0); add(0) | add(1); remove(1); add(0)",
     {6, 3, 27, 91, 96, 37, 10, 2, "1: [51,56] -> 0"}},
    {"B2",
     "a",
     "add(0); add(1); add(1); remove(0) | add(0); add(1); remove(1); add(1)",
     {11, 22, 243, 232, 153, 75, 54, 11, "1: [51,56] -> 150"}},
    {"B3",
     "a",
     "add(0); remove(1) | add(0); add(1) | add(0); add(0)",
     {6, 8, 240, 217, 110, 62, 347, 9, "1: [51,56] -> 124"}},
    {"B4",
     "r",
     "remove(0); add(0); remove(0) | add(0); remove(0); add(1)",
     {7, 3, 39, 94, 96, 41, 12, 2, "1: [78,80] -> 15"}},
    {"B5",
     "r",
     "remove(1); add(0); remove(1); remove(1) | add(0); add(0); add(1); remove(0)",
     {9, 3, 48, 220, 140, 60, 22, 6, "1: [78,80] -> 108"}},
    {"B6",
     "r",
     "add(1); remove(0) | add(0); add(1) | remove(0); remove(1)",
     {13, 3, 92, 541, 109, 95, 457, 10, "1: [78,80] -> 48"}},
    {"B7",
     "ar",
     "remove(1); remove(1); add(0) | add(1); remove(0); remove(1)",
     {6, 4, 39, 97, 92, 33, 11, 3, "1: [51,56] [78,80] -> 78"}},
    {"B8",
     "ar",
     "add(1); remove(1); add(1); remove(0) | remove(0); remove(1); add(1); remove(0)",
     {6, 4, 24, 55, 115, 44, 12, 1, "1: [51,56] [78,80] -> 15"}},
    {"B9",
     "ar",
     "add(0); remove(1) | add(0); add(1) | add(0); add(0)",
     {6, 8, 224, 201, 111, 63, 314, 14, "1: [51,56] -> 152"}},
    {"C1", "a", "put(0, 1); put(1, 0) | remove(0, 1); put(1, 0)", {4, 1, 40, 70, 127, 43, 75, 3, "1: [267,290] -> 0"}},
    {"C2",
     "a",
     "put(1, 0); remove(1, 0); put(1, 1) | put(0, 0); put(1, 0); remove(1, 0)",
     {7, 1, 27, 279, 209, 77, 233, 16, "1: [271,279] [448,451] -> 8"}},
    {"C3",
     "a",
     "put(1, 0); put(0, 0); put(1, 0); put(0, 1) | put(0, 0); put(0, 1); remove(0, 1); remove(1, 1)",
     {10, 1, 15, 213, 207, 85, 179, 8, "1: [271,279] [448,451] -> 15"}},
    {"C4",
     "r",
     "put(1, 0); remove(1, 1); remove(1, 0) | put(0, 1); remove(1, 0); remove(0, 0)",
     {2, 1, 54, 112, 168, 64, 120, 5, "1: [436,451] -> 0"}},
    {"C5",
     "r",
     "put(0, 0); put(1, 1); remove(1, 1) | remove(1, 1); put(1, 0); remove(1, 1)",
     {5, 2, 84, 229, 183, 83, 146, 12, "1: [436,451] -> 0"}},
    {"C6",
     "r",
     "put(0, 1); put(1, 0); put(1, 0); remove(1, 0) | put(1, 1); put(0, 0); put(1, 0); remove(1, 0)",
     {22, 6, 132, 769, 234, 115, 379, 40, "1: [436,451] -> 0"}},
    {"C7",
     "ar",
     "put(1, 1); put(1, 0) | put(1, 0); remove(1, 0)",
     {6, 1, 9, 82, 112, 37, 21, 2, "2: [271,279] [448,451] -> 0; [448,454] -> 0"}},
    {"C8",
     "ar",
     "put(0, 0); put(1, 1); remove(1, 1) | remove(1, 1); put(1, 0); remove(1, 1)",
     {5, 3, 93, 229, 188, 82, 174, 11, "2: [271,279] [448,451] -> 0; [436,451] -> 0"}},
    {"C9",
     "ar",
     "put(1, 1); put(0, 1); put(1, 1); remove(0, 1) | put(0, 1); put(0, 0); put(0, 1); put(1, 0)",
     {12, 2, 17, 229, 211, 89, 143, 5, "2: [271,279] [448,451] -> 0; [451,454] -> 0"}},
};

}  // namespace heddle::testing
