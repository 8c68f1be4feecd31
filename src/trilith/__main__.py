"""`python -m trilith` is `trilith`."""

from trilith.surfaces.cli.main import main

if __name__ == "__main__":
    main()
