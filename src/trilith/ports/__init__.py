"""Where does the core end? What it needs from the outside, as protocols; implementations are chosen in `wiring`.

Every implementation, and every fake, passes the suite of its port in `tests/conformance/`.

Threads: all methods may be called from any thread. Processes: several may use the same home at once; whoever changes
the catalog, or ledger-backed identities, holds `Locks.writing`; whoever feeds a view holds `Locks.feeding`.
"""
