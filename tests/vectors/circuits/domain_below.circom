pragma circom 2.0.0;

include "chain.circom";

// One short of its domain of 64.
component main = Chain(61);
