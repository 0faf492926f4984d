"""How a policy is made."""
