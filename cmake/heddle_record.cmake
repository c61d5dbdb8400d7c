# libheddle_record, shared and static: the C ABI of the recorder (include/heddle/record_c.h), for programs under test in any
# language. It stands beside the folders of src/, not among them: it uses nothing of Heddle but heddle/record.h, links
# nothing but the C++ library, and is no part of the program.
set(record_sources "${PROJECT_SOURCE_DIR}/src/record/record_c.cpp")
foreach(target heddle_record heddle_record_static)
  if(target STREQUAL "heddle_record")
    add_library(${target} SHARED ${record_sources})
  else()
    add_library(${target} STATIC ${record_sources})
  endif()
  target_include_directories(${target} PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
                                              "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  target_link_libraries(${target} PRIVATE Threads::Threads)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME heddle_record
    LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib" ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
endforeach()
# Only the C functions are visible; two copies of the recorder's inline functions in one process do not meet.
set_target_properties(heddle_record PROPERTIES VERSION "${PROJECT_VERSION}" SOVERSION "${PROJECT_VERSION_MAJOR}"
  CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON EXPORT_NAME record)
set_target_properties(heddle_record_static PROPERTIES EXPORT_NAME record_static)
set_property(GLOBAL APPEND PROPERTY HEDDLE_DECLARED_FOLDERS record)
