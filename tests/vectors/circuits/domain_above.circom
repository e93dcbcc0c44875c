pragma circom 2.0.0;

include "chain.circom";

// One more than 64, so that the domain doubles to 128.
component main = Chain(63);
