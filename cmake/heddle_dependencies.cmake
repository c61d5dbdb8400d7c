# Where the dependencies come from. docs/dependencies.md says what each is for; scripts/packages.txt installs them.

find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED CONFIG COMPONENTS headers json)
find_package(fmt 9 REQUIRED CONFIG)
find_package(CLI11 2.1 REQUIRED CONFIG)
find_package(pegtl 3.2 REQUIRED CONFIG)
find_package(pugixml 1.13 REQUIRED CONFIG)
find_package(ZLIB 1.2 REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)

if(HEDDLE_TESTS)
  find_package(GTest 1.12 REQUIRED CONFIG)
  find_package(rapidcheck REQUIRED CONFIG) # gives rapidcheck and rapidcheck_gtest (rapidcheck/gtest.h)
endif()
if(HEDDLE_BENCH)
  find_package(benchmark REQUIRED CONFIG)
endif()
