"""The kinds of files: what holds content, what runs while a site is built, and what programs look for by its name.

What may change is said by the endings that hold content. The other lists only say it better why something may not,
or take a name out of a kind that would else be content.
"""

from __future__ import annotations


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
