# Sourced, after lib.sh, by the scripts that install something: packages through apt (as root or
# with sudo), and Python packages into separate environments in the user's cache.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/tfm
cpu_wheels=https://download.pytorch.org/whl/cpu

as_root=()

# The automatic updater of a new machine may hold dpkg's lock for some minutes.
apt_install() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -y -o DPkg::Lock::Timeout=300 install --no-install-recommends "$@"
}

install_packages() {
  local start optional=()
  if [ "$EUID" != 0 ]; then
    command -v sudo >/dev/null || fail "installing packages needs root, and sudo is not installed" \
      "run as root: apt-get install $*"
    as_root=(sudo)
  fi
  # ccache is optional: it saves time when building again.
  command -v ccache >/dev/null || optional=(ccache)
  start=$(now)
  say "packages: installing $* ${optional[*]}"
  logged "${as_root[@]}" apt-get update ||
    say "packages: apt-get update failed, using the existing package lists"
  logged apt_install "$@" "${optional[@]}" ||
    { [ ${#optional[@]} != 0 ] && logged apt_install "$@"; } ||
    fail "apt-get install $*" "see above and $log; once they are installed, run this again"
  say "packages: installed ($(seconds_since "$start"))"
}

# Prints a Python that torch has wheels for and that can create a virtual environment. Debian's
# python3 cannot without the package python3-venv.
usable_python() {
  local python check='import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))'
  for python in python3 /usr/bin/python3; do
    if "$python" -c "$check" 2>/dev/null; then
      echo "$python"
      return
    fi
  done
  return 1
}

has_nvidia_gpu() { [ -d /proc/driver/nvidia/gpus ] || nvidia-smi -L >/dev/null 2>&1; }

# reachable PYTHON URL: tries once, for a few seconds; pip itself would try for minutes.
reachable() {
  timeout 6 "$1" -c 'import sys, urllib.request as r; r.urlopen(sys.argv[1], timeout=4)' "$2" \
    2>/dev/null
}

# pip_install PYTHON REQUIREMENT: installs into PYTHON's environment. A machine without a GPU gets
# PyTorch's CPU build (0.2 GB) if its index is reachable; PyPI's build is for CUDA (several GB).
# torch_build=cuda chooses PyPI's on every machine.
pip_install() {
  local index=()
  if [[ $2 == torch==* && ${torch_build:-} != cuda ]] && ! has_nvidia_gpu &&
    reachable "$1" "$cpu_wheels/torch/"; then
    index=(--index-url "$cpu_wheels")
  fi
  "$1" -m pip install --no-compile --disable-pip-version-check "${index[@]}" "$2"
}

# pip_environment FOLDER REQUIREMENT [REMEDY]: creates a virtual environment. It is created under
# another name and renamed when complete, so that an incomplete environment is never used.
pip_environment() {
  local python start partial=$1.partial
  usable_python >/dev/null ||
    { command -v apt-get >/dev/null && install_packages python3 python3-venv; } || true
  python=$(usable_python) || fail "installing $2 needs Python 3.10 or newer with its venv module; \
python3 here: $(python3 --version 2>&1 || true)" \
    "install one (Debian: python3 and python3-venv)${3:+, or $3}"
  start=$(now)
  say "installing $2 into $1"
  mkdir -p "$(dirname "$1")"
  rm -rf "$partial"
  logged "$python" -m venv "$partial" || fail "$python -m venv $partial" "see above and $log"
  logged pip_install "$partial/bin/python" "$2" || fail "pip install $2" \
    "see above and $log: a network or disk fault? Run this again${3:+, or $3}"
  rm -rf "$1"
  mv "$partial" "$1"
  say "installed $2 ($(seconds_since "$start"))"
}

# pip_tool NAME VERSION: prints the path of clang-format or clang-tidy of this release, and installs
# it if it is missing. bin/NAME is not used: it contains the path of the environment before its
# renaming.
pip_tool() {
  local environment=$cache/$1-$2 program
  program=lib/python3*/site-packages/${1/-/_}/data/bin/$1
  compgen -G "$environment/$program" >/dev/null || pip_environment "$environment" "$1==$2"
  compgen -G "$environment/$program"
}
