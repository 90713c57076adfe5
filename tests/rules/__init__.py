"""A test or more for every rule of RULES.md, one file a chapter. `@rule` names the rules that a test holds."""
