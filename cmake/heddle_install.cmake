# cmake --install build/release --prefix <where>
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/heddle")
set(installed heddle_headers)
set_target_properties(heddle_headers PROPERTIES EXPORT_NAME headers)
if(TARGET heddle)
  list(APPEND installed heddle)
endif()
install(TARGETS ${installed} heddle_library heddle_record heddle_record_static EXPORT heddleTargets
  RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}"
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT heddleTargets NAMESPACE heddle:: DESTINATION "${package_dir}")

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/heddleConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/generated/heddleConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/generated/heddleConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/generated/heddleConfig.cmake"
  "${PROJECT_BINARY_DIR}/generated/heddleConfigVersion.cmake" DESTINATION "${package_dir}")

# The manual pages come out of the program's own table of options, so they are written when it is there.
if(TARGET heddle)
  set(man_pages "${PROJECT_BINARY_DIR}/generated/man1")
  install(CODE "execute_process(COMMAND \"$<TARGET_FILE:heddle>\" man \"${man_pages}\"
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)")
  install(DIRECTORY "${man_pages}/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
endif()

install(FILES LICENSE README.md DESTINATION "${CMAKE_INSTALL_DOCDIR}" OPTIONAL)
install(DIRECTORY docs/ DESTINATION "${CMAKE_INSTALL_DOCDIR}" OPTIONAL FILES_MATCHING PATTERN "*.md" PATTERN "*.json")
