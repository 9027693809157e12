"""Whether a file is content, told by its path alone: names are compared as the least careful system would.

What may change is said by the endings that hold content. The other lists only say it better why something may not,
or take a name out of a kind that would else be content.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.routing.project import Rules


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Texts that a generator, or a browser, shows and never runs.
PAGES = _words("html htm xhtml md markdown mdown mkdown mkdn mkd mdoc rst adoc asciidoc org textile lr")
STYLES = _words("css scss sass")
PICTURES = _words("jpg jpeg png apng gif webp avif svg ico bmp tif tiff heic heif jxl")
SOUND_AND_FILM = _words("mp3 m4a ogg oga opus wav flac mp4 m4v webm mov ogv vtt srt")
FONTS = _words("woff woff2 ttf otf")
DOCUMENTS = _words("pdf doc docx xls xlsx ppt pptx odt ods odp rtf epub ics vcf gpx kml csv tsv")
# Figures and texts for pages, but also how settings are written: content only in a folder of data.
DATA = _words("json geojson yml yaml toml xml txt")
DATA_FOLDERS = _words("data _data content i18n locales translations")

CONTENT = PAGES | STYLES | PICTURES | SOUND_AND_FILM | FONTS | DOCUMENTS

# They run, or can load what runs, while the site is built: `.less` and `.styl` have plugins.
TEMPLATES = _words(
    "astro vue svelte jsx tsx mdx svx qmd rmd ipynb marko vto njk nunjucks liquid hbs handlebars mustache ejs"
    " eta pug jade haml slim erb twig jinja jinja2 j2 webc tmpl gohtml templ less styl"
)
TEMPLATE_FOLDERS = _words(
    "layouts _layouts includes _includes partials _partials themes templates _templates archetypes shortcodes"
)
# Written by people and put into pages: in a folder of templates all of this is one.
WRITTEN = PAGES | STYLES | DATA | {"svg"}

# What builds write beside content: for browsers, search and feeds.
BUILT = _words(
    "js mjs map json geojson xml rss atom xsl xslt webmanifest txt wasm pf_meta pf_index pf_fragment pf_filter pagefind"
)
PACKED = _words("gz br zst")

# A web server that knows such an ending runs the file, in some servers wherever in the name it stands.
RUN_BY_SERVERS = _words(
    "php php2 php3 php4 php5 php6 php7 php8 phtml pht phps phar inc cgi fcgi pl pm jsp jspx jspf jsw jsv asp aspx asa"
    " asax ascx ashx asmx axd cer cshtml vbhtml razor cfm cfml cfc shtml shtm stm hta py pyc rb lua tcl sh"
)
# In the middle of a name it could be a language.
_A_LANGUAGE_TOO = frozenset({"pl", "pm", "sh"})
RUN_INSIDE_NAMES = RUN_BY_SERVERS - _A_LANGUAGE_TOO
PROGRAMS = RUN_BY_SERVERS | _words(
    "js mjs cjs ts mts cts coffee wasm bash zsh fish bat cmd com exe msi dll so dylib scr ps1 psm1 vbs vbe wsf jar"
    " class war go rs c cc cpp h java kt swift ex exs app apk deb rpm run bin docm xlsm pptm dotm"
)

NEVER_CONTENT = _words("node_modules vendor bower_components")
FOR_AGENTS = _words(
    "agents.md agent.md claude.md gemini.md qwen.md codex.md webordinary.md skill.md copilot-instructions.md"
    " opencode.json mcp.json crush.json"
)
FOR_SERVERS = _words(
    "robots.txt ads.txt app-ads.txt security.txt humans.txt llms.txt sitemap.xml crossdomain.xml"
    " clientaccesspolicy.xml bingsiteauth.xml cname _redirects _headers _routes.json _worker.js web.config nginx.conf"
    " caddyfile netlify.toml vercel.json now.json firebase.json staticwebapp.config.json wrangler.toml wrangler.json"
    " assetlinks.json apple-app-site-association"
)
# Every build writes these anew, as it does pages.
WRITTEN_BY_BUILDS = frozenset({"sitemap.xml", "humans.txt", "llms.txt"})
# Tools look for these in every folder; what they look for beside them only is no content by its place.
FOR_BUILDS = _words(
    "package.json package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml pnpm-workspace.yaml bun.lock"
    " bun.lockb deno.json deno.lock tsconfig.json jsconfig.json composer.json composer.lock gemfile gemfile.lock"
    " rakefile requirements.txt constraints.txt pyproject.toml pipfile pipfile.lock poetry.lock uv.lock uv.toml"
    " go.mod go.sum cargo.toml cargo.lock makefile gnumakefile cmakelists.txt justfile dockerfile containerfile"
    " docker-compose.yml docker-compose.yaml procfile jenkinsfile hugo.toml hugo.yaml hugo.yml hugo.json _config.yml"
    " _config.yaml _config.toml mkdocs.yml _quarto.yml"
)


# Letters, their marks, figures, and signs that no system takes for anything but a part of a name.
_LETTERS = ("L", "M", "N", "P", "S")
_NOT_IN_NAMES = frozenset('\\:*?"<>|')
# Nearly all paths are no more than this, and need no look at each letter.
_USUAL = re.compile(r"[A-Za-z0-9_-]++(?:[./][A-Za-z0-9_-]++)*+")
# Notes to those who work on a site are called so: AGENTS.md, README.md.
_SHOUTED = re.compile(r"[A-Z][A-Z0-9_-]+\.(?:md|markdown|rst|txt|adoc)")


class Limit(StrEnum):
    """Why a change is not for a mail alone; the words for it stand with the words of all mails."""

    FILES = "too_many_files"
    LINES = "too_many_lines"
    PLACE = "protected_place"
    NAME = "odd_name"
    BUILD = "part_of_the_build"
    SERVER = "server_setting"
    AGENT = "note_to_programs"
    PROGRAM = "program"
    TEMPLATE = "template"
    KIND = "unknown_kind"
    DISGUISED = "disguised"
    ACTIVE = "active_content"


def judge_source(path: str, rules: Rules, build: Sequence[str] = ()) -> Limit | None:
    """Return why a mail alone may not change this file of the repository; None when it may."""
    if not _is_plain(path):
        return Limit.NAME
    if rules.allowed_paths:
        return _judge_by_patterns(path, rules.allowed_paths)
    if any(part.startswith(".") for part in path.split("/")):
        return Limit.PLACE
    if _is_named_by(build, path):
        return Limit.BUILD
    return _judge_name(path) or _judge_kind(path, templates=rules.templates)


def judge_output(path: str, rules: Rules, output: str = ".") -> Limit | None:
    """Return why a file of the built site may not appear, change or go by a mail alone; None when it may."""
    if not _is_plain(path):
        return Limit.NAME
    places = (path, posixpath.normpath(posixpath.join(output, path)))
    if any(_judge_by_patterns(place, rules.allowed_paths) is None for place in places):
        return None
    return _judge_built_name(path) or _judge_built_kind(path, templates=rules.templates)


def ending_of(path: str) -> str:
    """Return what a file's name ends with, in small letters and without the dot; no look-alike is an ending."""
    stem, _, ending = path.rpartition("/")[2].rpartition(".")
    return ending.lower() if stem.strip(".") and ending.isascii() else ""


def is_template(path: str) -> bool:
    """Tell whether a file of this name runs while the site is built, or is put into what does."""
    folders, ending = _parted(path)[0], ending_of(path)
    return ending in TEMPLATES or (ending in WRITTEN and not TEMPLATE_FOLDERS.isdisjoint(folders))


def shown(path: str) -> str:
    """Return a path as a person may read it: what cannot be seen, or turns a line round, is spelled out."""
    return "".join(sign if _may_stand_in_a_name(sign) or sign == "/" else ascii(sign)[1:-1] for sign in path)


def _is_plain(path: str) -> bool:
    """Tell whether every system takes this path for the same one."""
    if _USUAL.fullmatch(path):
        return True
    parts = path.split("/")
    is_whole = all(part and part == part.strip() and not part.endswith(".") for part in parts)
    return is_whole and all(_may_stand_in_a_name(sign) for part in parts for sign in part)


def _may_stand_in_a_name(sign: str) -> bool:
    return sign == " " or (unicodedata.category(sign)[0] in _LETTERS and sign not in _NOT_IN_NAMES)


def _parted(path: str) -> tuple[list[str], str]:
    if path.isascii():
        *folders, name = path.lower().split("/")
    else:
        *folders, name = (unicodedata.normalize("NFKC", part).casefold() for part in path.split("/"))
    return folders, name


def _judge_by_patterns(path: str, patterns: Sequence[str]) -> Limit | None:
    """Say what the project's own list says; what a server would run has to be named there by its ending."""
    fitting = [pattern for pattern in patterns if fnmatchcase(path, pattern)]
    if not fitting:
        return Limit.PLACE
    name = posixpath.basename(path)
    is_named = any(ending_of(pattern) == ending_of(name) for pattern in fitting)
    return None if is_named or not _runs_on_servers(name.casefold()) else Limit.PROGRAM


def _runs_on_servers(name: str) -> bool:
    inner = name.split(".")[1:-1]
    return name.rpartition(".")[2] in RUN_BY_SERVERS or not RUN_INSIDE_NAMES.isdisjoint(inner)


def _is_named_by(build: Sequence[str], path: str) -> bool:
    """Tell whether the build command is given this file as settings, also by `--config=FILE`; it may name pages."""
    if ending_of(path) not in DATA:
        return False
    words = (word for argument in build for word in re.split(r"[\s=,;:]+", argument) if word)
    return any(posixpath.normpath(word).casefold() == path.casefold() for word in words)


def _judge_name(path: str) -> Limit | None:
    """Take out what programs look for by its name, wherever it lies."""
    folders, name = _parted(path)
    if not NEVER_CONTENT.isdisjoint(folders):
        return Limit.BUILD
    if name in FOR_AGENTS or _SHOUTED.fullmatch(posixpath.basename(path)):
        return Limit.AGENT
    if name in FOR_SERVERS:
        return Limit.SERVER
    if name in FOR_BUILDS or "config" in name.split(".")[1:]:
        return Limit.BUILD
    return Limit.PROGRAM if _runs_on_servers(name) else None


def _judge_kind(path: str, *, templates: bool) -> Limit | None:
    folders, ending = _parted(path)[0], ending_of(path)
    if is_template(path):
        return None if templates else Limit.TEMPLATE
    if ending in CONTENT:
        return None
    if ending in DATA:
        return None if not DATA_FOLDERS.isdisjoint(folders) else Limit.BUILD
    return _judge_unknown(path)


def _judge_built_name(path: str) -> Limit | None:
    folders, name = _parted(path)
    parts = {*folders, name} - WRITTEN_BY_BUILDS
    if any(part.startswith(".") or part in FOR_SERVERS for part in parts):
        return Limit.SERVER
    if name in FOR_BUILDS:
        return Limit.BUILD
    return Limit.PROGRAM if _runs_on_servers(name) else None


def _judge_built_kind(path: str, *, templates: bool) -> Limit | None:
    bare = posixpath.splitext(path)[0] if ending_of(path) in PACKED else path
    known = CONTENT | BUILT | DATA | (TEMPLATES if templates else frozenset())
    return None if ending_of(bare) in known else _judge_unknown(bare)


def _judge_unknown(name: str) -> Limit:
    return Limit.PROGRAM if ending_of(name) in PROGRAMS else Limit.KIND
