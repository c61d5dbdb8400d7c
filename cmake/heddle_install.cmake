# cmake --install build/release --prefix <where>
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/heddle")
set(installed heddle_headers)
set_target_properties(heddle_headers PROPERTIES EXPORT_NAME headers)
if(TARGET heddle)
  list(APPEND installed heddle)
endif()
install(TARGETS ${installed} heddle_record heddle_record_static EXPORT heddleTargets
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

install(FILES LICENSE README.md DESTINATION "${CMAKE_INSTALL_DOCDIR}" OPTIONAL)
install(DIRECTORY docs/ DESTINATION "${CMAKE_INSTALL_DOCDIR}" OPTIONAL FILES_MATCHING PATTERN "*.md" PATTERN "*.json")
