"""What a file of a site is, told by its name."""

from __future__ import annotations

_TEXT = "; charset=utf-8"
# Written down here, because the table of the machine differs from one machine to the next.
TYPES = {
    ".html": f"text/html{_TEXT}", ".htm": f"text/html{_TEXT}", ".css": f"text/css{_TEXT}",
    ".js": f"text/javascript{_TEXT}", ".mjs": f"text/javascript{_TEXT}", ".txt": f"text/plain{_TEXT}",
    ".md": f"text/markdown{_TEXT}", ".csv": f"text/csv{_TEXT}", ".ics": f"text/calendar{_TEXT}",
    ".vcf": f"text/vcard{_TEXT}", ".vtt": f"text/vtt{_TEXT}", ".xml": f"application/xml{_TEXT}",
    ".rss": f"application/rss+xml{_TEXT}", ".atom": f"application/atom+xml{_TEXT}",
    ".xhtml": f"application/xhtml+xml{_TEXT}", ".json": "application/json", ".map": "application/json",
    ".webmanifest": "application/manifest+json", ".wasm": "application/wasm", ".pdf": "application/pdf",
    ".zip": "application/zip", ".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp", ".avif": "image/avif",
    ".ico": "image/x-icon", ".bmp": "image/bmp", ".woff": "font/woff", ".woff2": "font/woff2",
    ".ttf": "font/ttf", ".otf": "font/otf", ".mp3": "audio/mpeg", ".ogg": "audio/ogg", ".wav": "audio/wav",
    ".m4a": "audio/mp4", ".mp4": "video/mp4", ".webm": "video/webm", ".mov": "video/quicktime",
}  # fmt: skip
