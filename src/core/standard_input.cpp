#include "tfm/core/standard_input.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <iostream>

#include "tfm/core/interrupt.h"

namespace tfm {

bool input_ready() {
  pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  return std::cin.rdbuf()->in_avail() > 0 || ::poll(&input, 1, 0) > 0;
}

void wait_for_input() {
  pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  while (std::cin.rdbuf()->in_avail() <= 0 && ::poll(&input, 1, -1) < 0 && errno == EINTR &&
         !interrupt_requested())
    continue;
}

}  // namespace tfm
