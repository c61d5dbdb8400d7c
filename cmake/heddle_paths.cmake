# heddle_paths.h: what the program has to know about its own build in order to compile the models users bring.
set(HEDDLE_BOOST_INCLUDE_DIR "")
get_target_property(boost_include_dir Boost::headers INTERFACE_INCLUDE_DIRECTORIES)
if(boost_include_dir AND NOT boost_include_dir IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
  set(HEDDLE_BOOST_INCLUDE_DIR "${boost_include_dir}")
endif()

configure_file("${PROJECT_SOURCE_DIR}/cmake/heddle_paths.h.in" "${PROJECT_BINARY_DIR}/generated/heddle_paths.h" @ONLY)
add_library(heddle_paths INTERFACE)
target_include_directories(heddle_paths INTERFACE "${PROJECT_BINARY_DIR}/generated")

# heddle_starting_file.h: the example that `heddle new` copies, so that the program needs no file beside it.
set(example "${PROJECT_SOURCE_DIR}/examples/lock.cpp")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${example}")
file(READ "${example}" HEDDLE_EXAMPLE_TEXT)
configure_file("${PROJECT_SOURCE_DIR}/cmake/heddle_starting_file.h.in"
  "${PROJECT_BINARY_DIR}/generated/heddle_starting_file.h" @ONLY)
