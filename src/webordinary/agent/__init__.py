"""The agents that edit a checkout on behalf of a site's owner."""
