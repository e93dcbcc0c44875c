pragma circom 2.0.0;

// A sponge-like hash of our own making, for tests only: rounds of x^5 and a Cauchy-like mixing matrix.
// Every linear layer is folded into the next round's constraints.
template Fifth() {
    signal input in;
    signal output out;
    signal square;
    signal fourth;
    square <== in * in;
    fourth <== square * square;
    out <== fourth * in;
}

template Permutation(width, rounds) {
    signal input in[width];
    signal output out[width];
    component power[rounds][width];
    var state[width];
    var constant = 1;
    for (var i = 0; i < width; i++) {
        state[i] = in[i];
    }
    for (var round = 0; round < rounds; round++) {
        for (var i = 0; i < width; i++) {
            constant = constant * 6364136223846793005 + 1442695040888963407;
            power[round][i] = Fifth();
            power[round][i].in <== state[i] + constant;
        }
        for (var i = 0; i < width; i++) {
            state[i] = 0;
            for (var j = 0; j < width; j++) {
                state[i] += power[round][j].out / (1 + i + width + j);
            }
        }
    }
    for (var i = 0; i < width; i++) {
        out[i] <== state[i];
    }
}

template Sponge(blocks) {
    signal input message[blocks][2];
    signal input expected;
    signal output digest;
    component permutation[blocks];
    for (var b = 0; b < blocks; b++) {
        permutation[b] = Permutation(3, 8);
        for (var i = 0; i < 2; i++) {
            permutation[b].in[i] <== message[b][i] + (b == 0 ? i : permutation[b - 1].out[i]);
        }
        permutation[b].in[2] <== (b == 0 ? blocks : permutation[b - 1].out[2]);
    }
    digest <== permutation[blocks - 1].out[0];
    signal difference;
    signal inverse;
    signal equal;
    // Whether the digest is the expected one, as one private bit, so that 0/1 wires occur.
    difference <== digest - expected;
    inverse <-- difference == 0 ? 0 : 1 / difference;
    equal <== 1 - difference * inverse;
    difference * equal === 0;
}

component main {public [message]} = Sponge(3);
