# Programs that need nothing but a C library of 2020 or later. They are compiled as all others are, with the headers of this machine, and
# linked against the older C library in XPLAN_PORTABLE/sysroot; all other libraries become part of them, also those that are loaded when
# they are needed elsewhere (core/base/library.h).
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
set(OPENSSL_USE_STATIC_LIBS ON)
list(PREPEND CMAKE_PREFIX_PATH ${XPLAN_PORTABLE}/prefix)
add_compile_definitions(XPLAN_PORTABLE=1)
set(old ${XPLAN_PORTABLE}/sysroot)  # before what the compiler finds by itself, start files too
string(APPEND CMAKE_EXE_LINKER_FLAGS
       " --sysroot=${old} -B${old}/usr/lib/x86_64-linux-gnu -L${old}/usr/lib/x86_64-linux-gnu -L${old}/lib/x86_64-linux-gnu"
       " -static-libstdc++ -static-libgcc -Wl,--gc-sections,--as-needed,-z,relro,-z,now")
# What that C library does not have, though other libraries ask for it.
add_library(newer_libc STATIC cmd/portable/newer_libc.cc)
set(archives)
foreach(name curl ssh pq pgcommon pgport rnp archive xml2 nghttp2 idn2 unistring json-c zstd lzma bz2 tinfo bsd md)
  find_library(portable_${name} ${name} REQUIRED
               HINTS ${XPLAN_PORTABLE}/prefix/lib ${old}/usr/lib/x86_64-linux-gnu)
  list(APPEND archives ${portable_${name}})
endforeach()
link_libraries(newer_libc ${archives} dl pthread m)  # by lld, to which the order does not matter
