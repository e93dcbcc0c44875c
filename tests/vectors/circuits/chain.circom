pragma circom 2.0.0;

// One constraint a step, one public output: constraints + public signals + 1 = steps + 2.
template Chain(steps) {
    signal input start;
    signal output end;
    signal state[steps];
    state[0] <== start * start;
    for (var i = 1; i < steps; i++) {
        state[i] <== state[i - 1] * state[i - 1] + i;
    }
    end <== state[steps - 1];
}
