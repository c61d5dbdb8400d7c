# Read by ctest after the tests of a program are listed: under `./test --long` (HEDDLE_LONG) counts are large, and so is the time a
# test may take. TESTS_OF_LONG_RUN names the lists.
if(NOT "$ENV{HEDDLE_LONG}" MATCHES "^(|0)$")
  foreach(list IN LISTS TESTS_OF_LONG_RUN)
    foreach(test IN LISTS ${list})
      set_tests_properties("${test}" PROPERTIES TIMEOUT 86400)
    endforeach()
  endforeach()
endif()
