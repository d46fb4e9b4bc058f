# The release, for machines with other libraries; see scripts/package.
include(${CMAKE_CURRENT_LIST_DIR}/release.cmake)
get_filename_component(made "${CMAKE_CURRENT_LIST_DIR}/../../build/portable-libs" ABSOLUTE)
set(XPLAN_PORTABLE "${made}" CACHE PATH "")
