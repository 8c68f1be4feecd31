"""The same views in a PostgreSQL database, 16 or newer: several processes, on several machines, may share them."""
