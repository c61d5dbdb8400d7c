# cmake -DROOT=<source tree> -DBUILD=<build tree> -DCXX=<compiler> -DFLAGS=<sanitizer flags> -P check_install.cmake
#
# Installs a built tree into a prefix of its own and lets examples/project use it: find_package(heddle) gives the headers and
# the program, the program compiles a model against the installed headers, not those of the source tree, and a GoogleTest of
# the project checks the model through heddle::check.
set(place "${BUILD}/install_test")
set(prefix "${place}/prefix")
set(project "${place}/project")
set(ENV{XDG_CACHE_HOME} "${place}/cache")
unset(ENV{CXX})

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}\nended with ${code}:\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE "${place}")
run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${prefix}")

foreach(page heddle.1 heddle-check.1)
  if(NOT EXISTS "${prefix}/share/man/man1/${page}")
    message(FATAL_ERROR "the manual page ${page} is not installed")
  endif()
endforeach()

# The installed headers say that they are, and the model wants to hear it.
file(APPEND "${prefix}/include/heddle/heddle.h" "#define HEDDLE_IS_INSTALLED\n")
file(COPY "${ROOT}/examples/project/" DESTINATION "${project}")
file(READ "${ROOT}/examples/lock.cpp" model)
file(WRITE "${project}/lock.cpp" "${model}\n#ifndef HEDDLE_IS_INSTALLED\n#error not the installed headers\n#endif\n")

run("${CMAKE_COMMAND}" -S "${project}" -B "${project}/build" -G Ninja
  "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_CXX_FLAGS=${FLAGS}")
run("${CMAKE_COMMAND}" --build "${project}/build")
run("${CMAKE_CTEST_COMMAND}" --test-dir "${project}/build" --output-on-failure --no-tests=error)

# A program in C records with what is installed.
foreach(library libheddle_record.so libheddle_record.a)
  file(GLOB_RECURSE found "${prefix}/${library}")
  cmake_path(GET found PARENT_PATH folder)
  run(gcc -std=c11 ${FLAGS} "${ROOT}/tests/record/client.c" "-I${prefix}/include" -o "${project}/client" "${found}"
    "-Wl,-rpath,${folder}" -lstdc++ -lm -pthread)
  run("${CMAKE_COMMAND}" -E chdir "${project}" "${CMAKE_COMMAND}" -E env ASAN_OPTIONS=detect_leaks=0 ./client)
endforeach()
file(REMOVE_RECURSE "${place}")
