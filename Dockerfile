# The image of a worker, and the code of the Lambda functions: `make image` builds it with what it needs to know.
#
#   AGENT      which agent is in it besides the built-in one: none, claude or opencode
#   CHROMIUM   yes or no: the browser that takes the pictures of an answer
# Whole versions, because a shorter tag is another image every month; a digest of your registry's can be said instead:
# `--build-arg PYTHON=3.13.9-slim-trixie@sha256:…`.
ARG PYTHON=3.13.9-slim-trixie
ARG NODE=24.11.1-trixie-slim

# Sites are built with Node; Debian's own is older than what they ask for.
FROM node:${NODE} AS node

FROM node:${NODE} AS agent
ARG AGENT=none
WORKDIR /opt/agent
COPY requirements/node/package.json requirements/node/package-lock.json requirements/node/.npmrc ./
RUN mkdir -p bin node_modules \
    && if [ "$AGENT" = opencode ]; then \
        npm ci --omit=dev \
        && ln -s ../node_modules/opencode-linux-x64/bin/opencode bin/opencode \
        && bin/opencode --version; \
    fi

FROM python:${PYTHON} AS build
ARG AGENT=none
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /build
COPY requirements requirements
# Locked and hashed, and the same versions that the tests ran with; the package comes last, because it changes most.
RUN case "$AGENT" in \
        none | opencode) lock=image ;; \
        claude) lock=image-claude ;; \
        *) echo "AGENT must be none, claude or opencode, not $AGENT" >&2; exit 1 ;; \
    esac \
    && python -m venv /opt/webordinary \
    && /opt/webordinary/bin/pip install --require-hashes --requirement "requirements/$lock.txt"
COPY pyproject.toml README.md LICENSE ./
COPY src src
RUN /opt/webordinary/bin/pip install --no-build-isolation --no-deps --no-index .

FROM python:${PYTHON}
ARG CHROMIUM=yes
COPY packages /tmp/packages
# No versions: what Debian has mended since is wanted.
RUN apt-get update \
    && if [ "$CHROMIUM" = no ]; then export WITHOUT=chromium; fi \
    && /tmp/packages/wanted debian > /tmp/packages/names \
    && DEBIAN_FRONTEND=noninteractive xargs --arg-file=/tmp/packages/names apt-get install --yes --no-install-recommends \
    && rm -rf /var/lib/apt/lists/* /tmp/packages
COPY --from=node /usr/local/bin/node /usr/local/bin/node
COPY --from=node /usr/local/lib/node_modules/npm /usr/local/lib/node_modules/npm
COPY --from=agent /opt/agent /opt/agent
COPY --from=build /opt/webordinary /opt/webordinary
ENV PATH=/opt/webordinary/bin:/opt/agent/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    WORKSPACE_PATH=/workspace
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \
    && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx \
    && useradd --uid 1000 --create-home --shell /usr/sbin/nologin webordinary \
    && install --directory --owner webordinary --group webordinary --mode 0711 "$WORKSPACE_PATH"
# Nothing in it lends its owner's rights: bubblewrap uses user namespaces, and nobody here becomes somebody else.
RUN find / -xdev -type f -perm /6000 -exec chmod a-s {} +
USER 1000:1000
WORKDIR /workspace
# Whatever is missing is found out here, and not by the first mail.
RUN git --version && bwrap --version && node --version && npm --version && webordinary --help > /dev/null
# ECS does not read this one: the task definition says the same.
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 CMD ["webordinary", "work", "--healthy"]
# No entry point: functions begin with `python -m awslambdaric`, people with any command of `webordinary`.
CMD ["webordinary", "work"]
