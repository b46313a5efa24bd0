// Gives a precompiled header a target to be made by.
