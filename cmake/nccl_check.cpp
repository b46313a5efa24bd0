// Compiles and links if LibTorch has c10d's NCCL and all headers that it needs are installed
// (Distributed.cmake). It refers to what src/distributed/nccl.cpp uses.
#include <torch/csrc/cuda/nccl.h>

#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>

int main() {
  return c10d::ProcessGroupNCCL::Options::create()->is_high_priority_stream &&
         torch::cuda::nccl::version() != 0;
}
