"""Players that are programs. Each decides from a `View` alone, so none can know more than a person in its seat."""
