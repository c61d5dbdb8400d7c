# How everything of ours is compiled. Dependencies are not affected: their headers are system headers.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or RelWithDebInfo" FORCE)
endif()

if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(HEDDLE_CCACHE ccache)
  if(HEDDLE_CCACHE)
    # Without these settings it does not keep what is compiled with a precompiled header, which may hide a use of __TIME__; there
    # is none.
    set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros "${HEDDLE_CCACHE}")
  endif()
endif()

# Much of a build from nothing is headers, parsed again for every file. Where it is asked for, the files of a folder are
# one translation unit, so names in unnamed namespaces must differ within a folder. The presets `debug`
# and `tidy` compile each file alone: a file that leans on the includes of its neighbour does not build there.
set(CMAKE_UNITY_BUILD ${HEDDLE_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 32)

# -Wconversion is left out: with g++ 12 it also fires on compound assignments to narrow integers (`byte += 1`, bit-field
# updates), which the compressed state formats are full of, and the casts that silence it hide the narrowing that
# matters.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor)
if(HEDDLE_WERROR)
  add_compile_options(-Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # These come out of the optimizer and, in g++ 12, are wrong about the inlined insides of std::string, std::vector and
  # std::optional at -O3 (GCC bugs 105329, 105562, 107919), depending on the processor compiled for. -Wrestrict is off;
  # the others stay visible but do not stop a build on a machine nobody has tried.
  add_compile_options(-Wno-restrict -Wno-error=maybe-uninitialized -Wno-error=array-bounds -Wno-error=stringop-overflow
                      -Wno-error=stringop-overread -Wno-error=free-nonheap-object -Wno-error=dangling-pointer)
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # std::stable_sort of libstdc++ 12 calls a function it has itself deprecated.
  add_compile_options(-Wno-error=deprecated-declarations)
  # Of files that are compiled together it takes the unnamed namespace of one for that of another.
  if(HEDDLE_UNITY)
    add_compile_options(-Wno-shadow)
  endif()
endif()

# Objects are position-independent because user models are loaded into the program; without this, g++ would then not inline
# across functions of one file, in case a shared library replaced one of them.
add_compile_options(-fno-semantic-interposition)

add_compile_options($<$<CONFIG:Debug>:-D_GLIBCXX_ASSERTIONS>)
if(HEDDLE_NATIVE)
  add_compile_options(-march=native)
endif()

# Flags that the models a user brings must share with the program that loads them; see heddle_paths.h.in.
set(HEDDLE_SHARED_FLAGS "")
if(HEDDLE_SANITIZE)
  set(HEDDLE_SHARED_FLAGS "-fsanitize=${HEDDLE_SANITIZE}")
  add_compile_options(-fsanitize=${HEDDLE_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${HEDDLE_SANITIZE})
  if(HEDDLE_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined) # a finding fails the test
  endif()
  if(HEDDLE_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-error=tsan) # atomic_thread_fence is not understood by the sanitizer; say so, but build
  endif()
endif()
if(HEDDLE_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "HEDDLE_FUZZ needs clang (libFuzzer): cmake --preset fuzz")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
