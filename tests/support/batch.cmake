# Writes OUT, which includes the test FILES (paths below ROOT), each in a namespace of its own, because tests of one folder use the
# same names freely; the headers that they include come before all of them, where once is enough.
set(headers)
set(bodies)
foreach(file ${FILES})
  file(STRINGS ${ROOT}/${file} lines REGEX "^#include ")
  list(APPEND headers ${lines})
  get_filename_component(name ${file} NAME_WE)
  string(APPEND bodies "namespace ${name} {\n#include \"${file}\"\n}\n")
endforeach()
list(REMOVE_DUPLICATES headers)
list(JOIN headers "\n" headers)
file(WRITE ${OUT} "${headers}\n\n${bodies}")
