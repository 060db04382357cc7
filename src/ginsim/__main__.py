"""`python -m ginsim`: the command, for where the script of that name is not on the path."""

from .cli import main

if __name__ == "__main__":
    main(prog_name="ginsim")
