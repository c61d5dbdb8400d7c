// The version of the contract between a model and the program that loads it: the layout and meaning of
// everything in this folder. It grows with every incompatible change. `heddle check file.cpp` refuses headers
// of another version, and compiles again what was compiled for another one.
#pragma once

#define HEDDLE_API_VERSION 10

#if defined(HEDDLE_EXPECTED_API_VERSION) && HEDDLE_EXPECTED_API_VERSION != HEDDLE_API_VERSION
#error "these Heddle headers belong to another version of the program; install program and headers together"
#endif
