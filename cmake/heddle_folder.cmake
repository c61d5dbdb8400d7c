# heddle_folder(<name> [USES <folder>...] [LINKS <dependency>...] [COLD <file>... | COLD all])
#
# Declares src/<name> as the library heddle::<name>. Its code may include "x/y.h" for x = <name>, the folders in USES
# and what those use, and nothing else: headers are not found through src/ but through one directory per folder in the
# build tree, inc/<x>, that contains only the link <x> -> src/<x>. `headers` in USES stands for include/heddle.
#
# A folder may have sub-folders, one level deep, that belong to the same library: "x/z/y.h".
#
# COLD files, named without .cpp, are not part of what a run does for every state. A release build compiles them with
# -O1, which takes half the time of -O3; so they are an object library of their own, heddle_<name>_cold.
#
# A folder without files yet is skipped, also where it is used. main.cpp is left out: it belongs to the program, not to
# the library.

function(heddle_folder name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "USES;LINKS;COLD")
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
  set(targets ${target})
  set(scope PUBLIC)
  if(sources)
    set(cold "")
    if(arg_COLD AND NOT arg_COLD STREQUAL "all")
      foreach(file IN LISTS arg_COLD)
        list(REMOVE_ITEM sources "${folder}/${file}.cpp")
        list(APPEND cold "${folder}/${file}.cpp")
      endforeach()
      add_library(${target}_cold OBJECT ${cold})
      set(cold "$<TARGET_OBJECTS:${target}_cold>")
      list(APPEND targets ${target}_cold)
      # Programs link these last: where an inline function was compiled both ways, the first copy is taken.
      set_property(GLOBAL APPEND PROPERTY HEDDLE_COLD_ARCHIVES ${target}_cold)
    endif()
    add_library(${target} STATIC ${sources} ${cold})
    set_property(GLOBAL APPEND PROPERTY HEDDLE_ARCHIVES ${target})
  else()
    set(scope INTERFACE)
    add_library(${target} INTERFACE)
  endif()
  add_library(heddle::${name} ALIAS ${target})

  set(links "${PROJECT_BINARY_DIR}/inc/${name}")
  file(MAKE_DIRECTORY "${links}")
  file(CREATE_LINK "${folder}" "${links}/${name}" SYMBOLIC)
  foreach(one IN LISTS targets)
    target_include_directories(${one} ${scope} "${links}")
    # __FILE__ in an assertion names the source, not the link.
    target_compile_options(${one} ${scope} "-fmacro-prefix-map=${links}/=src/")
    foreach(used IN LISTS arg_USES)
      if(TARGET heddle_${used})
        target_link_libraries(${one} ${scope} heddle_${used})
      endif()
    endforeach()
    target_link_libraries(${one} ${scope} Boost::headers fmt::fmt PkgConfig::xxhash Threads::Threads ${arg_LINKS})
    if(one MATCHES "_cold$" OR arg_COLD STREQUAL "all")
      target_compile_options(${one} PRIVATE "$<$<CONFIG:Release,RelWithDebInfo>:-O1>")
    endif()
  endforeach()

  set_property(GLOBAL APPEND PROPERTY HEDDLE_FOLDERS ${target})
endfunction()

# heddle_objects(<variable>): the objects of all folders, for programs into which models are loaded: what only a user's
# model calls must be there too. Objects of folders named after the variable are left out.
function(heddle_objects variable)
  get_property(archives GLOBAL PROPERTY HEDDLE_ARCHIVES)
  get_property(cold GLOBAL PROPERTY HEDDLE_COLD_ARCHIVES)
  set(objects "")
  foreach(archive IN LISTS archives cold)
    if(NOT archive IN_LIST ARGN)
      list(APPEND objects $<TARGET_OBJECTS:${archive}>)
    endif()
  endforeach()
  set(${variable} ${objects} PARENT_SCOPE)
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
