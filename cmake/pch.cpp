// A source for the targets that only compile a precompiled header.
