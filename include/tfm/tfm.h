// tfm as a C++ library: find_package(tfm), link tfm::tfm and include this header. The headers that
// it includes are installed, and they include only the standard library's and the system's.
//
//   tfm::Model model = tfm::Model::load("runs/multi30k_de_en");
//   const tfm::Translator translator(model, model.config().decoding);
//   std::string english = translator.translate({"ein hund schläft ."})[0].text();
//
// - Errors are exceptions: ConfigError, DataError, ModelError and others of core/error.h, which say
//   what is wrong, where, and what to do.
// - Threads: Translator and Scorer may be called by several threads at once. train() may run once
//   at a time in a process. set_threads and configure_allocator (tensor/runtime.h) set what the
//   whole process shares; call them before the first model is loaded.
// - Log: warnings and errors go to stderr, unless set_log_sink (core/log_sink.h) sends them
//   elsewhere.
// - Versions: before 1.0, a new minor version (0.2) may change names and layouts, and its library
//   has another name (libtfm.so.0.2). Patch versions (0.1.1) change neither.
#pragma once

#include "tfm/config/config_file.h"
#include "tfm/core/error.h"
#include "tfm/core/log_sink.h"
#include "tfm/core/version.h"
#include "tfm/metrics/bleu.h"
#include "tfm/metrics/chrf.h"
#include "tfm/metrics/ter.h"
#include "tfm/model/model.h"
#include "tfm/tensor/runtime.h"
#include "tfm/training/run.h"
#include "tfm/translate/scorer.h"
#include "tfm/translate/translator.h"
