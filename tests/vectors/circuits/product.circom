pragma circom 2.0.0;

// The smallest circuit: one constraint, one public output.
template Product() {
    signal input left;
    signal input right;
    signal output product;
    product <== left * right;
}

component main = Product();
