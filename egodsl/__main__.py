"""`python -m egodsl`."""

from egodsl.cli import main

if __name__ == "__main__":
    main()
