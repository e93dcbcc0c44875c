pragma circom 2.0.0;

// No public signals at all: only the constant wire has a point in IC.
template NoPublic() {
    signal input cube;
    signal input root;
    signal square;
    square <== root * root;
    square * root === cube;
}

component main = NoPublic();
