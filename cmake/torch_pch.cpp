// Gives the precompiled <torch/torch.h> a translation unit to be made by.
