"""What each page shows, as values: pure functions from what the use cases answer. Templates decide nothing."""
