"""The project as it is installed: what the wheel holds, and what an import pulls in."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", str(folder), str(ROOT)], check=True)
    (path,) = folder.glob("byzanz_env-*.whl")
    return zipfile.ZipFile(path)


def test_wheel_holds_three_packages_and_nothing_else(wheel):
    tops = {name.split("/")[0] for name in wheel.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"byzanz_env", "byzanz_agents", "byzanz_train"}


def test_wheel_holds_every_module_and_the_type_markers(wheel):
    names = set(wheel.namelist())
    for root, package in ((ROOT, "byzanz_env"), (ROOT / "agents", "byzanz_agents"), (ROOT / "train", "byzanz_train")):
        for file in (root / package).rglob("*.py"):
            assert file.relative_to(root).as_posix() in names
        assert f"{package}/py.typed" in names


def test_wheel_has_the_command_the_bots_and_the_license(wheel):
    (info,) = (name for name in wheel.namelist() if name.endswith("entry_points.txt"))
    text = wheel.read(info).decode()
    assert "byzanz = byzanz_env.cli:main" in text
    assert "random = byzanz_agents.random:RandomAgent" in text
    assert any(name.endswith("licenses/LICENSE") for name in wheel.namelist())


def test_import_pulls_in_no_extra_and_prints_nothing():
    code = (
        "import sys, byzanz_env; extras = {'torch', 'stable_baselines3', 'pygame', 'polars', 'matplotlib',"
        "'byzanz_agents', 'byzanz_train'}; print(sorted(extras & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (run.stdout, run.stderr) == ("[]\n", "")


def test_environment_package_imports_neither_agents_nor_training():
    for file in (ROOT / "byzanz_env").rglob("*.py"):
        text = file.read_text()
        assert "import byzanz_agents" not in text and "from byzanz_agents" not in text, file
        assert "import byzanz_train" not in text and "from byzanz_train" not in text, file
    for file in (ROOT / "agents").rglob("*.py"):
        assert "byzanz_train" not in file.read_text(), file


def test_cache_is_renewed_when_a_source_changes(tmp_path):
    """A constant edited in one file must reach a compiled function of another: the trap of Numba's own cache."""
    package = tmp_path / "toy"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "facts.py").write_text("NUMBER = 7\n")
    (package / "work.py").write_text(
        "from byzanz_env.compiled import compiled\nfrom .facts import NUMBER\n\n"
        "@compiled\ndef number():\n    return NUMBER\n"
    )
    answers = []
    for number in (7, 9):
        (package / "facts.py").write_text(f"NUMBER = {number}\n")
        code = "from toy.work import number; print(number())"
        run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
        answers.append(int(run.stdout))
    assert answers == [7, 9]


def test_one_line_says_that_the_engine_is_being_compiled(tmp_path):
    code = "import byzanz_env; env = byzanz_env.byzanz_v0.env(); env.reset(seed=1); env.step(0)"
    for expected in (1, 0):
        run = subprocess.run(
            [sys.executable, "-c", code],
            env={"NUMBA_CACHE_DIR": str(tmp_path), "PATH": ""},
            capture_output=True,
            text=True,
            check=True,
        )
        assert run.stderr.count("compiling the engine") == run.stderr.count("\n") == expected
