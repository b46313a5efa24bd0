# Sourced by the other scripts. Changes to the repository's root and defines functions for progress
# and errors. Progress goes to stderr, one line for each step. The output of a step goes to a log,
# and is shown only if the step fails.
set -euo pipefail
called_from=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."
script=$(basename "$0")
log=build/$script.log
mkdir -p build

say() { printf '[%s] %s\n' "$script" "$*" >&2; }

# fail WHAT REMEDY: prints the error and what to do, and exits.
fail() {
  printf '[%s] FAILED: %s\n' "$script" "$1" >&2
  [ -z "${2:-}" ] || printf '[%s] what to do: %s\n' "$script" "$2" >&2
  exit 1
}

# logged COMMAND...: writes the command's output to the log, and shows its end if the command fails.
logged() {
  local start status=0
  start=$(wc -l <"$log" 2>/dev/null || echo 0)
  "$@" >>"$log" 2>&1 </dev/null || status=$?
  [ "$status" = 0 ] || tail -n +"$((start + 1))" "$log" | tail -n 25 | sed 's/^/    /' >&2
  return "$status"
}

# fetch URL FILE [resume]: downloads with curl or wget. With resume, continues at the end of FILE.
fetch() {
  if command -v curl >/dev/null; then
    curl -fsSL --retry 2 --connect-timeout 10 ${3:+-C -} -o "$2" "$1"
  elif command -v wget >/dev/null; then
    wget -q ${3:+-c} --tries=3 --timeout=10 -O "$2" "$1"
  else
    fail "neither curl nor wget is installed" "install one, or pass --from"
  fi
}

now() { echo "${EPOCHREALTIME/[.,]/}"; }  # microseconds

# seconds_since START: prints the time since START, a result of now.
seconds_since() {
  local tenths=$((($(now) - $1) / 100000))
  echo "$((tenths / 10)).$((tenths % 10)) s"
}

# Prints the number of compilers to run in parallel. A compiler that reads LibTorch's headers takes
# up to 1.5 GB, so cores and memory both limit the number.
jobs() {
  local cores by_memory
  cores=$(nproc)
  by_memory=$(awk '/^MemAvailable:/ {print int($2 / 1500000)}' /proc/meminfo)
  if ((by_memory < 1)); then by_memory=1; fi
  echo $((by_memory < cores ? by_memory : cores))
}
