// Handles signals that ask the process to stop: SIGINT (Ctrl-C), SIGTERM, and SIGHUP (a closed
// terminal) unless the process ignores it; a service takes SIGHUP as a request to reload.
// Long-running work then saves its state at the next safe point and throws Interrupted (exit code
// 130). A call of a library that has no such point runs in a process of its own
// (forked_work.h). Some of the preparation of training (batch_size: auto) has none either: training
// then stops before its first update. A second signal kills the process if it
// arrives at least two seconds after the first.
#pragma once

namespace tfm {

/// Installs the signal handlers and clears a pending request. May be called again.
void install_signal_handlers();

/// Makes SIGPIPE a request to stop unless the process ignores it. A pipe that shows the log (as
/// with head) may close before the work ends, and every later message then raises SIGPIPE. For
/// commands whose result does not go through the pipe.
void install_broken_pipe_handler();

/// Ignores SIGPIPE, so that only the log is lost if its reader ends: for a service, and for
/// commands whose result goes to a file.
void ignore_broken_pipe();

/// Makes SIGHUP a request to reload, for a service. A closed terminal then does not stop it.
void install_reload_handler();

/// Returns true if SIGHUP has arrived since the most recent call. See install_reload_handler().
bool take_reload_request();

/// Returns true if this process ignores the signal. A process that nohup starts ignores SIGHUP.
bool is_ignored(int signal);

/// Returns true if a signal to stop has arrived since the most recent call of
/// install_signal_handlers() or clear_interrupt().
bool interrupt_requested();

/// Throws Interrupted ("interrupted during WORK") if interrupt_requested() is true.
void throw_if_interrupted(const char* work);

/// Clears a pending request; for tests.
void clear_interrupt();

}  // namespace tfm
