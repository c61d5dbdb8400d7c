# heddle::check of the installed package, libheddle.so: all folders but the command line, and the library of models, as
# one shared library, for programs that call heddle::check (include/heddle/check.h). Shared, so that a program that links
# it needs to find none of Heddle's own dependencies, and so that models that are loaded at run time find the functions
# they call.
heddle_objects(objects heddle_cli)
add_library(heddle_library SHARED ${objects} $<TARGET_OBJECTS:heddle_models>)
set_target_properties(heddle_library PROPERTIES EXPORT_NAME check OUTPUT_NAME heddle LINKER_LANGUAGE CXX
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_link_libraries(heddle_library
  PUBLIC heddle_headers
  PRIVATE Boost::json fmt::fmt pugixml::pugixml ZLIB::ZLIB PkgConfig::xxhash Threads::Threads ${CMAKE_DL_LIBS})
