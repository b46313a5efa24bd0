# The Python package (python/tfm, pyproject.toml): the module tfm._tfm and the program. They load
# LibTorch from the torch package that is installed beside them, and the other libraries from
# tfm/lib (install_python_libraries.cmake). pip calls this through scikit-build-core.
option(TFM_PYTHON "Build the Python package" OFF)
if(NOT TFM_PYTHON)
  return()
endif()

file(STRINGS pyproject.toml torch REGEX "torch==[0-9.]+\\.\\*")
string(REGEX REPLACE ".*torch==([0-9.]+)\\.\\*.*" "\\1" torch "${torch}")
string(FIND "${TFM_LIBTORCH_VERSION}" "${torch}." same)
if(NOT same EQUAL 0)
  message(FATAL_ERROR "pyproject.toml requires torch ${torch}, but LibTorch \
${TFM_LIBTORCH_VERSION} was found. Set TFM_LIBTORCH to the folder of torch ${torch}, or run \
scripts/setup, which fetches it.")
endif()

find_package(Python 3.10 COMPONENTS Interpreter Development.Module REQUIRED)
execute_process(COMMAND "${Python_EXECUTABLE}" -m nanobind --cmake_dir
                OUTPUT_VARIABLE nanobind_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE
                COMMAND_ERROR_IS_FATAL ANY)
find_package(nanobind CONFIG REQUIRED)

nanobind_add_module(tfm_python NB_STATIC python/bindings.cpp)
set_target_properties(tfm_python PROPERTIES OUTPUT_NAME _tfm UNITY_BUILD OFF)
list(TRANSFORM TFM_LIBRARY_PARTS PREPEND tfm_ OUTPUT_VARIABLE parts)
target_link_libraries(tfm_python PRIVATE ${parts})
nanobind_add_stub(tfm_python_stub MODULE _tfm OUTPUT _tfm.pyi
                  PYTHON_PATH $<TARGET_FILE_DIR:tfm_python> DEPENDS tfm_python)

# In site-packages, the module is tfm/_tfm.*.so and the program tfm_program/bin/tfm.
tfm_find_bundle(tfm_python "$ORIGIN/lib:$ORIGIN/../torch/lib")
tfm_find_bundle(tfm "$ORIGIN/../../tfm/lib:$ORIGIN/../../torch/lib")
set_target_properties(tfm PROPERTIES INSTALL_RPATH_USE_LINK_PATH OFF)

install(TARGETS tfm_python LIBRARY DESTINATION tfm COMPONENT python)
install(TARGETS tfm RUNTIME DESTINATION tfm_program/bin COMPONENT python)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/_tfm.pyi" DESTINATION tfm COMPONENT python)
tfm_install_bundle(PYTHON tfm/lib tfm/licences COMPONENT python)
