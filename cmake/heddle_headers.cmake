# heddle::headers: include/heddle, what a modeller includes, and all a model may include besides the standard library
# and Boost.
set(include_dir "${PROJECT_SOURCE_DIR}/include")
file(GLOB headers CONFIGURE_DEPENDS "${include_dir}/heddle/*.h" "${include_dir}/heddle/detail/*.h")

add_library(heddle_headers INTERFACE)
add_library(heddle::headers ALIAS heddle_headers)
target_sources(heddle_headers INTERFACE FILE_SET HEADERS BASE_DIRS "${include_dir}" FILES ${headers})
target_compile_features(heddle_headers INTERFACE cxx_std_20)
target_link_libraries(heddle_headers INTERFACE Boost::headers)

# Each public header is also compiled alone, with nothing but this folder and Boost in reach: one that leans on src/, or
# on being included after another, does not build.
if(HEDDLE_TESTS AND headers)
  set_target_properties(heddle_headers PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  add_custom_target(heddle_headers_stand_alone ALL)
  add_dependencies(heddle_headers_stand_alone heddle_headers_verify_interface_header_sets)
endif()
