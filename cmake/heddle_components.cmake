# Components: programs beside `heddle`, or files, that need packages which `heddle` does not (docs/components.md).
# Each is a folder components/<name>/ with a CMakeLists.txt of this form, and its packages are in
# scripts/packages-<name>.txt:
#
#   heddle_component(symbolic "bounded model checking with Z3")
#   find_package(Z3 CONFIG)
#   heddle_component_needs(Z3_FOUND libz3-dev)
#   heddle_component_program(main.cpp LINKS heddle::core z3::libz3)
#
# Component and target `heddle-symbolic` are not part of `all`, so that they cost nobody anything who does not ask.
# Whose packages are not there is left out, with a message. HEDDLE_COMPONENTS says what is asked for:
#
#   (nothing)    none is part of `all`; each can be built by its target if its packages are there
#   a;b          these are part of `all`, with their tests, and it is an error if a package is missing
#   available    all whose packages are there are part of `all`, with their tests; what ./test uses
#
# For scripts/component.sh every configuration writes components/<name>.state into the build tree: "ready", or
# "missing" and the package; in a second line what is built.
set(HEDDLE_COMPONENTS "" CACHE STRING "Components that are part of `all`: their names, or `available`")

# heddle_components(): enters all folders and writes the table that the program knows them by, heddle_components.h.
function(heddle_components)
  file(GLOB files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/components/*/CMakeLists.txt")
  set(names "")
  foreach(file IN LISTS files)
    cmake_path(GET file PARENT_PATH folder)
    cmake_path(GET folder FILENAME name)
    list(APPEND names ${name})
  endforeach()
  foreach(name IN LISTS HEDDLE_COMPONENTS)
    if(NOT name IN_LIST names AND NOT name STREQUAL "available")
      message(FATAL_ERROR "HEDDLE_COMPONENTS: there is no component ${name}; those of components/ are: ${names}")
    endif()
  endforeach()
  foreach(name IN LISTS names)
    add_subdirectory("${PROJECT_SOURCE_DIR}/components/${name}" "${PROJECT_BINARY_DIR}/components/${name}")
  endforeach()

  get_property(HEDDLE_COMPONENT_ROWS GLOBAL PROPERTY HEDDLE_COMPONENT_ROWS)
  list(LENGTH HEDDLE_COMPONENT_ROWS HEDDLE_COMPONENT_COUNT)
  list(JOIN HEDDLE_COMPONENT_ROWS ",\n    " HEDDLE_COMPONENT_ROWS)
  if(HEDDLE_COMPONENT_COUNT GREATER 0)
    set(HEDDLE_COMPONENT_ROWS "{\n    ${HEDDLE_COMPONENT_ROWS}}")
  endif()
  configure_file("${PROJECT_SOURCE_DIR}/cmake/heddle_components.h.in"
    "${PROJECT_BINARY_DIR}/generated/heddle_components.h" @ONLY)
endfunction()

# heddle_component(<name> <purpose> [<product>]): the first line of components/<name>/CMakeLists.txt. The product is
# what is built, below the build tree and the installation prefix; left out: bin/heddle-<name>. The name is that of
# the folder.
macro(heddle_component name purpose)
  set(HEDDLE_COMPONENT ${name})
  heddle_declare_component(${name} "${purpose}" ${ARGN})
endmacro()

function(heddle_declare_component name purpose)
  set(product "bin/heddle-${name}")
  if(ARGC GREATER 2)
    set(product "${ARGV2}")
  endif()
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME folder)
  if(NOT folder STREQUAL name)
    message(FATAL_ERROR "the component in components/${folder} calls itself ${name}")
  endif()
  if(purpose MATCHES "[\"\\;]")
    message(FATAL_ERROR "component ${name}: no quotes, backslashes and semicolons in what it is for")
  endif()
  set(list "${PROJECT_SOURCE_DIR}/scripts/packages-${name}.txt")
  if(NOT EXISTS "${list}")
    message(FATAL_ERROR "component ${name} has no list of packages: write scripts/packages-${name}.txt")
  endif()
  set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${list}")
  file(STRINGS "${list}" lines)
  list(TRANSFORM lines REPLACE "[|#].*" "") # "package|command": the package, where there is no such command
  list(TRANSFORM lines STRIP)
  list(FILTER lines EXCLUDE REGEX "^$")
  list(JOIN lines " " packages)
  set_property(GLOBAL APPEND PROPERTY HEDDLE_COMPONENT_ROWS
    "std::array<std::string_view, 4>{\"${name}\", \"${product}\", \"${purpose}\", \"${packages}\"}")
  file(WRITE "${PROJECT_BINARY_DIR}/components/${name}.state" "ready\n${product}\n")
  set(HEDDLE_COMPONENT_PRODUCT "${product}" PARENT_SCOPE)
endfunction()

# heddle_component_needs(<variable> <package>...): leaves the file, and the component out, unless the variable is
# true. A macro, because it returns from the file that calls it.
macro(heddle_component_needs found)
  if(NOT ${found})
    if(HEDDLE_COMPONENT IN_LIST HEDDLE_COMPONENTS)
      message(FATAL_ERROR "component ${HEDDLE_COMPONENT}: the package ${ARGN} is missing; "
        "scripts/component.sh ${HEDDLE_COMPONENT} installs it")
    endif()
    message(STATUS "Component ${HEDDLE_COMPONENT} is left out: the package ${ARGN} is missing; "
      "scripts/component.sh ${HEDDLE_COMPONENT} installs it")
    file(WRITE "${PROJECT_BINARY_DIR}/components/${HEDDLE_COMPONENT}.state" 
      "missing ${ARGN}\n${HEDDLE_COMPONENT_PRODUCT}\n")
    return()
  endif()
endmacro()

# heddle_component_program(<source>... [LINKS <library>...]): the program heddle-<name>. Files named *_test.cpp beside
# the sources are its tests, GoogleTest, where tests are built and the component is asked for; they find the program at
# HEDDLE_COMPONENT_EXECUTABLE.
function(heddle_component_program)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "LINKS")
  set(target heddle-${HEDDLE_COMPONENT})
  add_executable(${target} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${target} PRIVATE ${arg_LINKS})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  include(GNUInstallDirs)
  install(PROGRAMS "$<TARGET_FILE:${target}>" DESTINATION "${CMAKE_INSTALL_BINDIR}" OPTIONAL)
  if(NOT HEDDLE_COMPONENT IN_LIST HEDDLE_COMPONENTS AND NOT "available" IN_LIST HEDDLE_COMPONENTS)
    set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
    return()
  endif()

  file(GLOB tests CONFIGURE_DEPENDS *_test.cpp)
  if(tests AND HEDDLE_TESTS)
    include(GoogleTest)
    add_executable(test_component_${HEDDLE_COMPONENT} ${tests})
    add_dependencies(test_component_${HEDDLE_COMPONENT} ${target})
    target_link_libraries(test_component_${HEDDLE_COMPONENT} PRIVATE ${arg_LINKS} GTest::gtest_main GTest::gmock)
    target_compile_definitions(test_component_${HEDDLE_COMPONENT} PRIVATE
      HEDDLE_COMPONENT_EXECUTABLE="$<TARGET_FILE:${target}>")
    # Labels as in tests/CMakeLists.txt. The slow ones have time for the large counts, too.
    gtest_discover_tests(test_component_${HEDDLE_COMPONENT} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
      TEST_FILTER "-*Slow*" TEST_LIST test_component_${HEDDLE_COMPONENT}_fast PROPERTIES LABELS fast TIMEOUT 600)
    gtest_discover_tests(test_component_${HEDDLE_COMPONENT} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
      TEST_FILTER "*Slow*" TEST_LIST test_component_${HEDDLE_COMPONENT}_slow PROPERTIES LABELS slow TIMEOUT 3600)
  endif()
endfunction()
