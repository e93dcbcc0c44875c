pragma circom 2.0.0;

// Products of linear combinations with a hundred terms each, and coefficients of both signs.
template LongSums(n) {
    signal input value[n];
    signal output moments[3];
    var plain = 0;
    var weighted = 0;
    var alternating = 0;
    for (var i = 0; i < n; i++) {
        plain += value[i];
        weighted += (i + 1) * (i + 1) * value[i];
        alternating += i % 2 == 0 ? 5 * value[i] : -7 * value[i];
    }
    moments[0] <== plain * weighted - alternating;
    moments[1] <== (weighted + 3) * (alternating - plain);
    moments[2] <== (plain - weighted) * (plain - weighted) + 1;
}

component main = LongSums(100);
