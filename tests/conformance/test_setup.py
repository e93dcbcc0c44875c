"""Keys of our setup: equal to snarkjs's from powers of tau, and usable by snarkjs throughout."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import peers
from conformance.cases import OUR_CASES, Case, powers_of_tau
from conformance.command_line import proverd_cli
from proverd import verify
from proverd.formats import BinFile, Zkey, zkey
from proverd.formats.json import read_proof, read_public_inputs, read_verifying_key

#: the powers of tau beside the vectors go up to 2^7
SMALL_CASES = [case for case in OUR_CASES if not case.folder.name.startswith("permutation")]
KEPT_KEYS = [case for case in OUR_CASES if case.file("circuit_0000.zkey").exists()]
#: zero public inputs, zero constraints, points at infinity, a domain filled exactly, both curves
DEV_KINDS = ("domain_full", "long_sums", "no_constraints", "no_public", "sparse_b", "permutation")
DEV_CASES = [case for case in OUR_CASES if case.folder.name.rpartition("_")[0] in DEV_KINDS]


def sections(path: Path) -> dict[int, bytes]:
    with BinFile.open(path, zkey.MAGIC, (zkey.VERSION,)) as file:
        return {section_id: bytes(file.view(section_id)) for section_id in file.sections}


def assert_same_key(ours: Path, theirs: Path) -> None:
    """Byte for byte, section by section; sections may stand in another order in the file."""
    expected = sections(theirs)
    found = sections(ours)
    assert found.keys() == expected.keys()
    for section_id, contents in expected.items():
        assert found[section_id] == contents, zkey.SECTION_NAMES[section_id]


@pytest.mark.parametrize("case", KEPT_KEYS, ids=str)
def test_key_from_powers_of_tau_equals_the_kept_key_of_snarkjs(case: Case, tmp_path: Path) -> None:
    ours = tmp_path / "ours.zkey"
    proverd_cli("setup", case.r1cs, powers_of_tau(case), ours)
    assert_same_key(ours, case.file("circuit_0000.zkey"))


@pytest.fixture(scope="module")
def snarkjs_keys(tmp_path_factory: pytest.TempPathFactory) -> dict[Case, Path]:
    """snarkjs's setup of every small case, in one process."""
    folder = tmp_path_factory.mktemp("snarkjs_setup")
    keys = {case: folder / f"{case}.zkey" for case in SMALL_CASES}
    answers = peers.drive(
        [
            {"call": "zKey.newZKey", "args": [str(case.r1cs), str(powers_of_tau(case)), str(path)]}
            for case, path in keys.items()
        ]
    )
    assert [answer for answer in answers if "error" in answer] == []
    return keys


@pytest.mark.node
@pytest.mark.parametrize("case", SMALL_CASES, ids=str)
def test_key_from_powers_of_tau_equals_snarkjs(
    case: Case, snarkjs_keys: dict[Case, Path], tmp_path: Path
) -> None:
    ours = tmp_path / "ours.zkey"
    proverd_cli("setup", case.r1cs, powers_of_tau(case), ours)
    assert_same_key(ours, snarkjs_keys[case])


@pytest.mark.node
@pytest.mark.parametrize("case", KEPT_KEYS, ids=str)
def test_snarkjs_contributes_to_our_key_and_verifies_it(case: Case, tmp_path: Path) -> None:
    ours, contributed = tmp_path / "ours.zkey", tmp_path / "contributed.zkey"
    proverd_cli("setup", case.r1cs, powers_of_tau(case), ours)
    files = [str(case.r1cs), str(powers_of_tau(case)), str(contributed)]
    answers = peers.drive(
        [
            {"call": "zKey.contribute", "args": [str(ours), str(contributed), "test", "some entropy"]},
            {"call": "zKey.verifyFromR1cs", "args": [*files, {"logger": True}]},
        ]
    )
    assert [answer.get("error") for answer in answers] == [None, None]
    assert answers[1]["value"] is True, answers[1]["log"]
    prove_with_us_and_verify_with_both(contributed, case.wtns, tmp_path)


def write_json(path: Path, document: Any) -> None:
    """As snarkjs's command line does."""
    path.write_text(json.dumps(document, indent=1))


def prove_with_us_and_verify_with_both(key: Path, wtns: Path, folder: Path) -> None:
    proof, public, vkey = (folder / name for name in ("proof.json", "public.json", "vkey.json"))
    proverd_cli("prove", key, wtns, proof, public)
    proverd_cli("export-vkey", key, vkey)
    proverd_cli("verify", vkey, public, proof)
    (answer,) = peers.drive(
        [{"call": "groth16.verify", "args": [{"json": str(path)} for path in (vkey, public, proof)]}]
    )
    assert answer.get("value") is True, answer


@pytest.fixture(scope="module")
def development_keys(tmp_path_factory: pytest.TempPathFactory) -> dict[Case, Path]:
    folder = tmp_path_factory.mktemp("development_keys")
    keys = {case: folder / f"{case}.zkey" for case in DEV_CASES}
    for case, path in keys.items():
        proverd_cli("setup", "--unsafe-dev", case.r1cs, path)
    return keys


@pytest.mark.parametrize("case", DEV_CASES, ids=str)
def test_development_key_is_marked(case: Case, development_keys: dict[Case, Path]) -> None:
    with Zkey.open(development_keys[case]) as key:
        assert key.unsafe_dev


@pytest.fixture(scope="module")
def snarkjs_proofs(development_keys: dict[Case, Path]) -> dict[Case, Any]:
    """For each development key: snarkjs's export of its verifying key, and its proof with it."""
    jobs = []
    for case, key in development_keys.items():
        jobs.append({"call": "zKey.exportVerificationKey", "args": [str(key)]})
        jobs.append({"call": "groth16.prove", "args": [str(key), str(case.wtns)]})
    answers = iter(peers.drive(jobs))
    return {case: (next(answers), next(answers)) for case in development_keys}


@pytest.mark.node
@pytest.mark.parametrize("case", DEV_CASES, ids=str)
def test_snarkjs_proves_with_our_development_key(
    case: Case, development_keys: dict[Case, Path], snarkjs_proofs: dict[Case, Any], tmp_path: Path
) -> None:
    vkey_answer, proof_answer = snarkjs_proofs[case]
    assert [answer.get("error") for answer in (vkey_answer, proof_answer)] == [None, None]
    paths = {name: tmp_path / f"{name}.json" for name in ("vkey", "proof", "public")}
    write_json(paths["vkey"], vkey_answer["value"])
    write_json(paths["proof"], proof_answer["value"]["proof"])
    write_json(paths["public"], proof_answer["value"]["publicSignals"])
    exported = tmp_path / "exported.json"
    proverd_cli("export-vkey", development_keys[case], exported)
    assert exported.read_bytes() == paths["vkey"].read_bytes()
    vkey = read_verifying_key(paths["vkey"])
    assert verify(vkey, read_public_inputs(paths["public"], vkey.curve), read_proof(paths["proof"]))


@pytest.mark.node
def test_snarkjs_verifies_proofs_with_our_development_keys(
    development_keys: dict[Case, Path], snarkjs_proofs: dict[Case, Any]
) -> None:
    """Its own proofs, and ours made with the same keys."""
    jobs: list[dict[str, Any]] = []
    for case, key in development_keys.items():
        vkey, theirs = (answer["value"] for answer in snarkjs_proofs[case])
        jobs.append({"call": "groth16.verify", "args": [vkey, theirs["publicSignals"], theirs["proof"]]})
        ours = [key.with_name(f"{key.stem}_{name}.json") for name in ("proof", "public")]
        proverd_cli("prove", key, case.wtns, *ours)
        jobs.append({"call": "groth16.verify", "args": [vkey, *({"json": str(p)} for p in reversed(ours))]})
    answers = peers.drive(jobs)
    assert [answer.get("value", answer.get("error")) for answer in answers] == [True] * len(jobs)
