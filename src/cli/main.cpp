#include "program.h"

int main(int argc, char** argv) { return tfm::run_program(argc, argv); }
