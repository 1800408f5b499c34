# cmake -D GEN=castforge-gen -D WORK_DIR=... -P size.cmake: float32 to float8e4m3fn and back, for AVX2,
# AVX-512 and AVX-512 VBMI, are less than 60 KB of source.
execute_process(COMMAND "${GEN}" amalgamate --pairs float32:float8e4m3fn,float8e4m3fn:float32 --opset onnx@28
  --isa avx2,avx512,avx512vbmi -o "${WORK_DIR}" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
set(sum 0)
foreach(file IN ITEMS castforge_casts.h castforge_casts.c)
  file(SIZE "${WORK_DIR}/${file}" size)
  math(EXPR sum "${sum} + ${size}")
endforeach()
if(NOT sum LESS 60000)
  message(SEND_ERROR "header and source are ${sum} bytes, not less than 60000")
endif()
