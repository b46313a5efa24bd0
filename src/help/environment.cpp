#include "tfm/help/environment.h"

namespace tfm {
namespace {

HelpGroup program_variables() {
  return {
      "Program",
      {{"TFM_MODEL",
        "Model folder that commands use if no model is named; without it, the newest run in runs/",
        ""},
       {"NO_COLOR", "If it is not empty, texts have no colours and no bold titles", ""},
       {"COLUMNS", "Width of help pages, from 40 to 100; without it, the width of the terminal",
        ""},
       {"TERM", "dumb turns off progress lines and colours", ""},
       {"XDG_STATE_HOME, HOME",
        "Place of the history of the prompt: $XDG_STATE_HOME/tfm/history or "
        "$HOME/.local/state/tfm/history",
        ""},
       {"XDG_CACHE_HOME, HOME",
        "Place of encoded training data if the folder of the text can't be written: "
        "$XDG_CACHE_HOME/tfm/shards or $HOME/.cache/tfm/shards",
        ""}}};
}

HelpGroup processor_variables() {
  return {"Processor",
          {{"OMP_NUM_THREADS",
            "Has no effect: --threads and training.threads set the number of CPU threads", ""},
           {"OMP_WAIT_POLICY",
            "passive lets waiting threads sleep at once, which is slower on a quiet machine; tfm "
            "shortens their spinning by itself while other programs need the CPUs",
            ""},
           {"CUDA_VISIBLE_DEVICES", "Numbers of the GPUs that may be used; without it, all", ""},
           {"TFM_CPU_FEATURES",
            "Newest instruction set that tfm's own kernels use: default, avx2, avx512, vnni or amx",
            ""},
           {"ATEN_CPU_CAPABILITY",
            "Widest registers of LibTorch's kernels and of tfm's: default, avx2 or avx512", ""},
           {"KINETO_LOG_LEVEL",
            "Least level of the messages of LibTorch's profiler (--trace), from 0 to 5; without "
            "it, none",
            ""},
           {"ONEDNN_PRIMITIVE_CACHE_CAPACITY",
            "Number of shapes for which oneDNN keeps its kernels; without it, 128 in training and "
            "512 in translation",
            ""}}};
}

HelpGroup service_variables() {
  return {
      "tfm serve (set by a service manager such as systemd)",
      {{"NOTIFY_SOCKET", "Socket at which the service reports that it is ready", ""},
       {"WATCHDOG_USEC, WATCHDOG_PID",
        "Microseconds within which the service must report that it is alive, and its process", ""},
       {"LISTEN_FDS, LISTEN_PID",
        "Number of sockets that listen already, at most 1, and the process that they are for",
        ""}}};
}

HelpGroup rank_variables() {
  return {
      "Training with several processes (set by tfm launch, torchrun, mpirun or srun)",
      {{"WORLD_SIZE, OMPI_COMM_WORLD_SIZE, SLURM_NTASKS",
        "Number of processes. The last two count only with MASTER_ADDR and MASTER_PORT", ""},
       {"RANK, OMPI_COMM_WORLD_RANK, SLURM_PROCID", "Number of this process, from 0", ""},
       {"LOCAL_RANK, OMPI_COMM_WORLD_LOCAL_RANK, SLURM_LOCALID",
        "Number of this process on its machine, which chooses its GPU", ""},
       {"LOCAL_WORLD_SIZE, OMPI_COMM_WORLD_LOCAL_SIZE, SLURM_NTASKS_PER_NODE",
        "Number of processes on this machine, among which its cores are divided", ""},
       {"MASTER_ADDR, MASTER_PORT", "Address and port of the process of rank 0", ""},
       {"GLOO_SOCKET_IFNAME",
        "Network interface of the sums on the CPU; without it, the one that reaches MASTER_ADDR",
        ""},
       {"TORCH_CPP_LOG_LEVEL", "If it is set, c10d's own log is shown", ""},
       {"TORCHELASTIC_USE_AGENT_STORE, TORCHELASTIC_RESTART_COUNT", "Set by torchrun", ""},
       {"TFM_LAUNCHED", "Set by tfm launch", ""}}};
}

}  // namespace

HelpPage environment_page() {
  return {
      .name = environment_topic,
      .summary = "Environment variables that tfm reads.",
      .usage = "",
      .details = "",
      .examples = {},
      .groups = {program_variables(), processor_variables(), service_variables(), rank_variables()},
      .read_more = "docs/scaling.md, docs/translate.md"};
}

}  // namespace tfm
