# find_package(xplan-kit): the target xplan::kit, with which provider programs and their tests are linked.
include(CMakeFindDependencyMacro)
foreach(name Threads fmt spdlog OpenSSL ZLIB)
  find_dependency(${name})
endforeach()
include(${CMAKE_CURRENT_LIST_DIR}/grpc.cmake)
pkg_check_modules(xplan_kit_libs REQUIRED IMPORTED_TARGET re2 libutf8proc yaml-0.1)
get_filename_component(xplan_kit_prefix ${CMAKE_CURRENT_LIST_DIR}/../../.. ABSOLUTE)
if(NOT TARGET xplan::kit)
  add_library(xplan::kit STATIC IMPORTED)
  set_target_properties(xplan::kit PROPERTIES IMPORTED_LOCATION ${xplan_kit_prefix}/lib/libxplan-kit.a
    INTERFACE_INCLUDE_DIRECTORIES ${xplan_kit_prefix}/include/xplan-kit INTERFACE_COMPILE_FEATURES cxx_std_20)
  target_link_libraries(xplan::kit INTERFACE fmt::fmt spdlog::spdlog OpenSSL::SSL OpenSSL::Crypto ZLIB::ZLIB PkgConfig::xplan_kit_libs
    mpfr gmp crypt protobuf::libprotobuf -Wl,--start-group ${grpc_libs} -Wl,--end-group Threads::Threads)
endif()
