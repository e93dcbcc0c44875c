pragma circom 2.0.0;

include "chain.circom";

// Fills its domain of 64 exactly.
component main = Chain(62);
