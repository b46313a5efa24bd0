#include "all_commands.h"

#include "average_command.h"
#include "config_command.h"
#include "config_import_command.h"
#include "config_init_command.h"
#include "data_clean_command.h"
#include "data_prepare_command.h"
#include "data_preview_command.h"
#include "doctor_command.h"
#include "evaluate_command.h"
#include "export_command.h"
#include "import_command.h"
#include "launch_command.h"
#include "model_info_command.h"
#include "model_pack_command.h"
#include "report_command.h"
#include "score_command.h"
#include "serve_command.h"
#include "shortlist_command.h"
#include "train_command.h"
#include "translate_command.h"

namespace tfm {

std::vector<Command> all_commands() {
  return {train_command(),         launch_command(),       config_init_command(),
          config_import_command(), config_check_command(), config_explain_command(),
          config_schema_command(), data_clean_command(),   data_prepare_command(),
          data_preview_command(),  translate_command(),    serve_command(),
          shortlist_command(),     evaluate_command(),     score_command(),
          report_command(),        model_info_command(),   model_pack_command(),
          average_command(),       export_command(),       import_command(),
          doctor_command()};
}

}  // namespace tfm
