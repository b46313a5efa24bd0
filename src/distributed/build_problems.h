// Declares why parts of distributed training are not in this build. CMake writes the source
// (cmake/Distributed.cmake).
#pragma once

namespace tfm {

extern const char* const c10d_problem;  ///< why c10d is left out; empty if it is built in
extern const char* const nccl_problem;  ///< why NCCL is left out; empty if it is built in

}  // namespace tfm
