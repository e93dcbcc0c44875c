pragma circom 2.0.0;

// Every signal is public and none is an output.
template PublicOnly() {
    signal input left;
    signal input right;
    signal input sum;
    signal input product;
    left + right === sum;
    left * right === product;
}

component main {public [left, right, sum, product]} = PublicOnly();
