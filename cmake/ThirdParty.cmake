# Finds the other libraries, which are packages of the distribution (scripts/setup installs them).
find_package(spdlog REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Threads REQUIRED)

find_path(TFM_EDIT_INCLUDE histedit.h REQUIRED)
find_library(TFM_EDIT_LIBRARY edit REQUIRED)
add_library(tfm_edit INTERFACE)
add_library(tfm::edit ALIAS tfm_edit)
target_include_directories(tfm_edit SYSTEM INTERFACE "${TFM_EDIT_INCLUDE}")
target_link_libraries(tfm_edit INTERFACE "${TFM_EDIT_LIBRARY}")
