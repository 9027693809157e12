"""Logins at mail providers that give tokens (OAuth 2.0): getting them, keeping them, renewing them."""
