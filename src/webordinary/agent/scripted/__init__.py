"""The built-in agent: it understands a handful of plain instructions, needs no model and no key.

It really edits HTML and Markdown files: words replaced, opening hours, title and heading of a page, the phone
number, a price, a paragraph added or removed, the attached pictures shown on a page. English comes first; hours,
replacements and phone numbers are also understood in German, French and Spanish. What it does not understand it
says, and it changes nothing for that. `wait for the file NAME` is for tests: see `WaitFor`.
"""
