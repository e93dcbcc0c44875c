pragma circom 2.0.0;

// Compiled without optimisation: sums, copies and constants all stay as linear constraints.
template Bits(n) {
    signal input in;
    signal output bit[n];
    var sum = 0;
    for (var i = 0; i < n; i++) {
        bit[i] <-- (in >> i) & 1;
        bit[i] * (1 - bit[i]) === 0;
        sum += bit[i] * (1 << i);
    }
    sum === in;
}

template Unoptimised() {
    signal input first;
    signal input second;
    signal output total;
    signal output mixed;
    component bits = Bits(32);
    signal copy;
    signal seven;
    signal running[32];
    copy <== first;
    seven <== 7;
    bits.in <== copy;
    running[0] <== bits.bit[0] + seven;
    for (var i = 1; i < 32; i++) {
        running[i] <== running[i - 1] + (i + 1) * bits.bit[i];
    }
    total <== running[31] - second;
    mixed <== running[15] * second;
}

component main {public [second]} = Unoptimised();
