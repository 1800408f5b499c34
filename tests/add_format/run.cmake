# cmake -D GEN=<castforge-gen> -D SOURCE_DIR=... -D WORK_DIR=... -P run.cmake; see CMakeLists.txt for the rest.
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# The bytes of a file have to be `expected`, in hexadecimal.
function(expect_bytes file expected)
  file(READ "${file}" bytes HEX)
  if(NOT bytes STREQUAL expected)
    message(FATAL_ERROR "${file} holds ${bytes}, expected ${expected}")
  endif()
endfunction()

file(REMOVE_RECURSE "${WORK_DIR}")
set(specs "${WORK_DIR}/specs")
file(COPY "${SOURCE_DIR}/specs/types" "${SOURCE_DIR}/specs/roundings" DESTINATION "${specs}")
file(COPY "${CMAKE_CURRENT_LIST_DIR}/opset.json" "${CMAKE_CURRENT_LIST_DIR}/added.json" DESTINATION "${specs}/opsets")

# The formats and rounding modes are files; no other file is touched.
set(formats "${SOURCE_DIR}/tests/exhaustive/formats")
foreach(type IN ITEMS int12 uint10 float19e8m10 float8e5m2q)
  file(COPY "${formats}/${type}.json" DESTINATION "${specs}/types")
endforeach()
file(COPY "${formats}/roundings/ties_up.json" "${formats}/roundings/ties_to_odd.json" DESTINATION "${specs}/roundings")
file(COPY "${SOURCE_DIR}/tests/consumer/project/float8e3m4.json" DESTINATION "${specs}/types")  # for same.cmake
run("${GEN}" new-type float12e5m6 --bits 12 --exponent 5 --mantissa 6 --nan ieee --out "${specs}/types")
run("${GEN}" generate --specs "${specs}" --out "${WORK_DIR}/generated")
run("${GEN}" check --specs "${specs}" --out "${WORK_DIR}/generated")
run("${GEN}" explain float32 float12e5m6 --opset castforge@1 --specs "${specs}")

# The plain loop and one vector loop are enough here.
set(isas portable)
foreach(isa IN ITEMS avx2 neon64)
  if(isa IN_LIST ISAS)
    list(APPEND isas ${isa})
  endif()
endforeach()
string(REPLACE ";" "\\;" isas "${isas}")
set(build "${WORK_DIR}/build")
run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/project" -B "${build}" -G "${GENERATOR}"
  "-DCMAKE_CXX_COMPILER=${CXX}"
  "-DCASTFORGE_SOURCE_DIR=${SOURCE_DIR}" "-DCASTFORGE_GENERATED_DIR=${WORK_DIR}/generated" "-DCASTFORGE_ISAS=${isas}"
  "-DCASTFORGE_DEPS_DIR=${DEPS_DIR}" "-DCASTFORGE_FETCH_DEPS=${FETCH_DEPS}")
run("${CMAKE_COMMAND}" --build "${build}" --parallel 2 --target check castforge_program)
run("${build}/bin/check" "${specs}")

# The program knows the names: 1, -0.25, 1000 and NaN of float32.
set(program "${build}/bin/castforge")
execute_process(COMMAND printf "\\000\\000\\200\\077\\000\\000\\200\\276\\000\\000\\172\\104\\000\\000\\300\\177"
  OUTPUT_FILE "${WORK_DIR}/in.raw" COMMAND_ERROR_IS_FATAL ANY)
run("${program}" cast "${WORK_DIR}/in.raw" "${WORK_DIR}/narrow.raw" --from float32 --to float8e3m4 --opset castforge@1)
expect_bytes("${WORK_DIR}/narrow.raw" "30906f78")  # 1000 saturates at 15.5
run("${program}" cast "${WORK_DIR}/in.raw" "${WORK_DIR}/infinite.raw" --from float32 --to FLOAT8E3M4 --opset castforge@1
  --saturate 0)
expect_bytes("${WORK_DIR}/infinite.raw" "30907078")
run("${program}" cast "${WORK_DIR}/in.raw" "${WORK_DIR}/wide.raw" --from float32 --to float12e5m6 --opset castforge@1)
expect_bytes("${WORK_DIR}/wide.raw" "c003400b3d06e007")  # 03C0 0B40 063D 07E0
run("${program}" cast "${WORK_DIR}/wide.raw" "${WORK_DIR}/back.raw" --from float12e5m6 --to float32 --opset castforge@1)
expect_bytes("${WORK_DIR}/back.raw" "0000803f000080be00007a440000c07f")
execute_process(COMMAND "${program}" list types OUTPUT_VARIABLE types COMMAND_ERROR_IS_FATAL ANY)
foreach(type IN ITEMS float8e3m4 float12e5m6)
  if(NOT types MATCHES "${type}")
    message(FATAL_ERROR "castforge list types does not name ${type}")
  endif()
endforeach()
