pragma circom 2.0.0;

// One wire multiplies all others, so that most wires are absent from matrix B (points at infinity in
// both B queries); some inputs, a public one among them, appear in no constraint at all.
template SparseB(n) {
    signal input factor;
    signal input value[n];
    signal input idle;
    signal input unused[12];
    signal output scaled[n];
    for (var i = 0; i < n; i++) {
        scaled[i] <== value[i] * factor;
    }
}

component main {public [factor, idle]} = SparseB(50);
