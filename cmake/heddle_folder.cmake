# heddle_folder(<name> [USES <folder>...] [LINKS <dependency>...])
#
# Declares src/<name> as the library heddle::<name>. Its code may include "x/y.h" for x = <name>, the folders in USES
# and what those use, and nothing else: headers are not found through src/ but through one directory per folder in the
# build tree, inc/<x>, that contains only the link <x> -> src/<x>. `headers` in USES stands for include/heddle.
#
# A folder may have sub-folders, one level deep, that belong to the same library: "x/z/y.h".
#
# A folder without files yet is skipped, also where it is used. main.cpp is left out: it belongs to the program, not to
# the library.

function(heddle_folder name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "USES;LINKS")
  get_property(declared GLOBAL PROPERTY HEDDLE_DECLARED_FOLDERS)
  set_property(GLOBAL APPEND PROPERTY HEDDLE_DECLARED_FOLDERS ${name})
  foreach(used IN LISTS arg_USES)
    if(NOT used IN_LIST declared AND NOT used STREQUAL "headers")
      message(FATAL_ERROR "src/${name} uses src/${used}, which does not come before it in the table: an arrow is reversed")
    endif()
  endforeach()

  set(folder "${PROJECT_SOURCE_DIR}/src/${name}")
  file(GLOB sources CONFIGURE_DEPENDS "${folder}/*.cpp" "${folder}/*/*.cpp")
  file(GLOB headers CONFIGURE_DEPENDS "${folder}/*.h" "${folder}/*/*.h")
  list(REMOVE_ITEM sources "${folder}/main.cpp")
  if(NOT sources AND NOT headers)
    return()
  endif()

  set(target heddle_${name})
  set(scope PUBLIC)
  if(sources)
    add_library(${target} STATIC ${sources})
    set_property(GLOBAL APPEND PROPERTY HEDDLE_ARCHIVES ${target})
  else()
    set(scope INTERFACE)
    add_library(${target} INTERFACE)
  endif()
  add_library(heddle::${name} ALIAS ${target})

  set(links "${PROJECT_BINARY_DIR}/inc/${name}")
  file(MAKE_DIRECTORY "${links}")
  file(CREATE_LINK "${folder}" "${links}/${name}" SYMBOLIC)
  target_include_directories(${target} ${scope} "${links}")
  # __FILE__ in an assertion names the source, not the link.
  target_compile_options(${target} ${scope} "-fmacro-prefix-map=${links}/=src/")

  foreach(used IN LISTS arg_USES)
    if(TARGET heddle_${used})
      target_link_libraries(${target} ${scope} heddle_${used})
    endif()
  endforeach()
  target_link_libraries(${target} ${scope} Boost::headers fmt::fmt PkgConfig::xxhash Threads::Threads ${arg_LINKS})

  set_property(GLOBAL APPEND PROPERTY HEDDLE_FOLDERS ${target})
endfunction()

# heddle_optimise_less(<folder>...): -O1 where -O3 would be, which takes less time to compile.
function(heddle_optimise_less)
  foreach(name IN LISTS ARGV)
    if(TARGET heddle_${name})
      target_compile_options(heddle_${name} PRIVATE "$<$<CONFIG:Release,RelWithDebInfo>:-O1>")
    endif()
  endforeach()
endfunction()

# A folder that is not in the table would silently not be built.
function(heddle_check_every_folder_is_declared)
  get_property(declared GLOBAL PROPERTY HEDDLE_DECLARED_FOLDERS)
  set(src "${PROJECT_SOURCE_DIR}/src")
  file(GLOB entries CONFIGURE_DEPENDS LIST_DIRECTORIES true RELATIVE "${src}" "${src}/*")
  foreach(entry IN LISTS entries)
    if(IS_DIRECTORY "${src}/${entry}" AND NOT entry IN_LIST declared)
      message(FATAL_ERROR "src/${entry} is not in the table of folders: add it to src/CMakeLists.txt, with what it may use")
    endif()
  endforeach()
endfunction()

# heddle_link_everything(<target>): all folders and all library models, for what stands above the folders. The models
# register themselves from static initializers, so their objects are linked, not an archive of them.
function(heddle_link_everything target)
  get_property(folders GLOBAL PROPERTY HEDDLE_FOLDERS)
  target_link_libraries(${target} PRIVATE heddle_headers ${folders})
  if(TARGET heddle_models)
    target_link_libraries(${target} PRIVATE heddle_models)
  endif()
endfunction()
