# cmake -DROOT=<source tree> -P check_includes.cmake: fails when a file includes something through "..", which would go
# around the include directories that keep the folders apart.
file(GLOB files "${ROOT}/src/*/*.cpp" "${ROOT}/src/*/*.h" "${ROOT}/src/*/*/*.cpp" "${ROOT}/src/*/*/*.h"
  "${ROOT}/include/heddle/*.h" "${ROOT}/models/*.cpp")
set(found "")
foreach(file IN LISTS files)
  file(STRINGS "${file}" lines REGEX "^[ \t]*#[ \t]*include[ \t]*[\"<]([^\">]*/)?\\.\\./")
  if(lines)
    string(APPEND found "\n  ${file}: ${lines}")
  endif()
endforeach()
if(found)
  message(FATAL_ERROR "includes through \"..\"; write \"<folder>/<file>.h\" instead:${found}")
endif()
