"""Who plays Byzanz. Each agent is a file of its own and a line under `byzanz.agents` in pyproject.toml."""
