"""`python -m refdesk` is the command `refdesk`."""

from refdesk.surfaces.main import main

if __name__ == "__main__":
    main()
