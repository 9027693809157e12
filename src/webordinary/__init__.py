"""WebOrdinary: a mail comes in, a website is changed, an answer goes out."""
