// Runs a batch of snarkjs calls in one process: jobs as JSON on stdin, answers as JSON on stdout.
// See `drive` in tests/peers.py for the form of a job.
import { readFileSync } from "node:fs";
import * as snarkjs from "snarkjs";

const jobs = JSON.parse(readFileSync(0, "utf8"));
const answers = [];
// snarkjs reports why a file was refused only through a logger; the lines are kept for the answer.
let lines = [];
const keep = (text) => lines.push(String(text));
const logger = { error: keep, warn: keep, info: () => {}, debug: () => {} };

function argument(value) {
    if (value !== null && typeof value === "object") {
        if ("json" in value) return JSON.parse(readFileSync(value.json, "utf8"));
        if ("logger" in value) return logger;
    }
    return value;
}

for (const { call, args } of jobs) {
    lines = [];
    try {
        const [group, name] = call.split(".");
        const value = await snarkjs[group][name](...args.map(argument));
        answers.push({ value: value === undefined ? null : value, log: lines });
    } catch (error) {
        answers.push({ error: String(error.message ?? error), log: lines });
    }
}
const plain = (_, value) => (typeof value === "bigint" ? value.toString() : value);
// The worker threads of snarkjs's curves would keep the process alive.
process.stdout.write(JSON.stringify(answers, plain), () => process.exit(0));
