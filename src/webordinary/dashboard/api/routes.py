"""The one table of the API's routes; what is not in it does not exist and is not described."""

from __future__ import annotations

from webordinary.dashboard.api.acts import ACTS
from webordinary.dashboard.api.bulk import BULK
from webordinary.dashboard.api.configuring import CONFIGURING
from webordinary.dashboard.api.files import FILES
from webordinary.dashboard.api.inside import INSIDE
from webordinary.dashboard.api.reads import READS

ROUTES = (*READS, *INSIDE, *FILES, *ACTS, *BULK, *CONFIGURING)
