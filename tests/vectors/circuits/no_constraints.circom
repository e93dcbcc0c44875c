pragma circom 2.0.0;

// Public inputs, but no constraint: both matrices are empty but for the rows that bind the inputs.
template NoConstraints() {
    signal input first;
    signal input second;
}

component main {public [first, second]} = NoConstraints();
