// Ctrl-C, SIGTERM and a terminal that is closed (SIGHUP, unless nohup has it ignored) ask long work
// to stop at its next safe point: it saves and throws Interrupted (exit code 130). Another signal,
// two seconds later or more, kills at once.
#pragma once

namespace tfm {

/// Installs the handlers; safe to call again.
void install_signal_handlers();

/// Whether this process ignores the signal, as one begun by nohup does SIGHUP.
bool is_ignored(int signal);

/// True once a signal has come since install_signal_handlers (or clear_interrupt).
bool interrupt_requested();

/// Throws Interrupted ("interrupted in WORK") where interrupt_requested().
void throw_if_interrupted(const char* work);

/// Forgets a pending request: for tests.
void clear_interrupt();

}  // namespace tfm
