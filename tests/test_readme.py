"""The README is true: its sessions run, its links lead somewhere."""

import doctest
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_readme_sessions_run():
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False, encoding="utf-8")
    assert result.attempted >= 8
    assert result.failed == 0


def test_readme_links_lead_somewhere():
    links = re.findall(r"\]\(([^)#]+)\)", (ROOT / "README.md").read_text())
    assert links
    for link in links:
        assert "://" in link or (ROOT / link).exists(), link


def test_readme_make_targets_exist():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    for target in re.findall(r"make ([a-z-]+)", (ROOT / "README.md").read_text()):
        assert target in targets, target


def test_every_ruling_is_tested_by_name():
    rulings = (ROOT / "RULES.md").read_text().lower().count("ruling:*")
    tests = re.findall(r"def test_ruling_", (ROOT / "tests" / "test_rules.py").read_text())
    assert len(tests) >= rulings
