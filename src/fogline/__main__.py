"""`python -m fogline`."""

import sys

from fogline.cli import main

sys.exit(main())
