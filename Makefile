# Two commands matter: `make demo` and `make test`. Both need only Python 3.11 or newer, git and make.
.DEFAULT_GOAL := help
.PHONY: help demo test test-all test-bare test-again check checks bench eval lock hooks clean chaos fuzz mutation chaos-aws aws-local bench-aws scale-aws image synth wheel docs pictures

# Empty means python3; a given one that differs from the Python of .venv makes .venv anew.
PYTHON ?=
# A shell that keeps Python from writing what it has compiled makes every start of it several times as slow.
export PYTHONDONTWRITEBYTECODE :=
INSTALL := PYTHON='$(PYTHON)' requirements/install
BIN := .venv/bin
PROGRAMS := bwrap chromium curl dovecot hugo java opendkim opendmarc openssl postfix prlimit proftpd rspamd rsync sshd
PYTEST = $(if $(STRICT),WEBORDINARY_STRICT=1) $(if $(WITHOUT),$(BIN)/python -m tests.without '$(WITHOUT)') \
	$(BIN)/pytest -n auto --dist worksteal
# What decides comes first, a few rules of it in one process that has nothing else to look for: an answer in seconds.
RULES := tests/unit/jobs tests/unit/routing
RUNS = status=0; mkdir -p build; rm -f build/left-out.json; export WEBORDINARY_LISTED_BEFORE=build/left-out.json; \
	later() { WEBORDINARY_LISTED_LATER=build/left-out.json $(PYTEST) "$$@" || status=1; }; \
	later -n 0 $(RULES); later tests/unit $(addprefix --ignore=,$(RULES)); \
	$(PYTEST) tests --ignore=tests/unit || status=1; exit $$status
COMPILE := build/lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-annotate --custom-compile-command 'make lock' $(if $(UPGRADE),--upgrade)

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' Makefile

demo: ## a page with a phone, a sample site and what happens inside (ONCE=1: one mail, then exit; AGENT=claude: with a model)
	@$(INSTALL) $(if $(filter claude,$(AGENT)),dev,run)
	@$(BIN)/webordinary demo $(if $(ONCE),--once) $(addprefix --agent ,$(AGENT))

test: ## the quick tests, in minutes, then every check (ROOM=mail: only a room's tests, WITHOUT='bwrap java': as if those were missing, STRICT=1: a skip is a failure)
	@$(INSTALL) dev
	@$(if $(ROOM),files=$$($(BIN)/python -m tests.rooms '$(ROOM)') && $(PYTEST) $$files,$(RUNS))
	@$(if $(ROOM),,$(MAKE) --no-print-directory check)

# The checks and the breakages need one core and wait for nothing: they run beside the tests.
test-all: ## every check, every test but the long ones, and breakages of what changed; continuous integration runs it with STRICT=1
	@$(INSTALL) dev
	@mkdir -p build; status=0; { $(MAKE) --no-print-directory check && $(BIN)/python -m tests.mutation.run --changed --seconds 60; } \
	>build/check.log 2>&1 & check=$$!; \
	WEBORDINARY_WRITES_FAILED=1 $(PYTEST) -m 'not long' || status=1; \
	wait $$check || status=1; cat build/check.log; exit $$status

test-bare: ## the quick tests that need programs of the machine, with all of those hidden (ALL=1: the thorough ones too)
	@$(INSTALL) dev
	@$(BIN)/python -m tests.without '$(PROGRAMS)' $(PYTEST) -m 'programs and not long$(if $(ALL),, and not thorough)'

test-again: ## the few tests that failed in the last `make test-all`, alone and five times: broken, or chance?
	@$(if $(STRICT),WEBORDINARY_STRICT=1) $(BIN)/python -m tests.again

check: ## style, format, types and layers, without the tests
	@$(INSTALL) dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

checks: ## wrong and correct edits against what the owner is told, and agents that do too much; also in build/checks.json and least.json
	@$(INSTALL) dev
	@$(BIN)/python -m tests.checks.run
	@$(BIN)/python -m tests.least.run

bench: ## how fast it is on this machine; also in build/bench.json (QUICK=1: only see that it works)
	@$(INSTALL) dev
	@$(BIN)/python -m bench $(if $(QUICK),--quick)

eval: ## how good the configured agent is, by requests to four sites; also in build/eval.json (SITE=plain: only one, ONLY='a price': only some)
	@$(INSTALL) dev
	@$(BIN)/python -m evaluation $(addprefix --site ,$(SITE)) $(if $(ONLY),--only '$(ONLY)')

lock: ## renew requirements/*.txt from pyproject.toml and requirements/*.in (UPGRADE=1: newest versions)
	@echo '[1/2] making build/lock with uv in it'
	@$(or $(PYTHON),python3) -m venv --clear build/lock
	@build/lock/bin/python -m pip install -qq --require-hashes -r requirements/install.txt
	@echo '[2/2] writing requirements/install.txt, run.txt, dev.txt, image.txt, image-claude.txt and contributor.txt'
	@$(COMPILE) requirements/install.in --output-file requirements/install.txt
	@$(COMPILE) pyproject.toml requirements/build.in --output-file requirements/run.txt
	@$(COMPILE) pyproject.toml requirements/build.in requirements/dev.in \
		--constraint requirements/run.txt --output-file requirements/dev.txt
	@$(COMPILE) --extra aws --extra acp --extra screenshots --extra otel pyproject.toml requirements/build.in requirements/image.in \
		--constraint requirements/dev.txt --output-file requirements/image.txt
	@$(COMPILE) --extra aws --extra acp --extra screenshots --extra otel --extra claude pyproject.toml requirements/build.in \
		requirements/image.in --constraint requirements/dev.txt --output-file requirements/image-claude.txt
	@$(COMPILE) requirements/contributor.in --constraint requirements/dev.txt \
		--output-file requirements/contributor.txt

wheel: ## build the package into dist (TO=folder: there), for `uv tool install` and `pipx install`
	@$(INSTALL) run
	@rm -f $(or $(TO),dist)/webordinary-*.whl
	@$(BIN)/python -m pip wheel --quiet --no-build-isolation --no-deps --no-index --wheel-dir $(or $(TO),dist) .
	@ls $(or $(TO),dist)/webordinary-*.whl

docs: ## README and docs as plain pages with search in build/docs; a link that leads nowhere is an error
	@$(INSTALL) dev
	@$(BIN)/python -m handbook

pictures: ## pictures of the running demo and its real answer, into docs/pictures and README; needs chromium
	@$(INSTALL) dev
	@$(BIN)/python -m handbook.pictures

hooks: ## install the git hook that checks each commit
	@$(INSTALL) dev
	@$(BIN)/python -m pip install -qq --require-hashes -r requirements/contributor.txt
	@$(BIN)/pre-commit install

clean: ## remove .venv, caches and everything built
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src local-aws tests bench evaluation handbook -name __pycache__ -prune -exec rm -rf {} +

chaos: ## kill, stop and lose things for minutes, then check every promise (N=0.1 for a tenth of it)
	@$(INSTALL) dev
	@$(BIN)/python -m tests.chaos.estimate --scale $(or $(N),1)
	WEBORDINARY_SCALE=$(or $(N),1) $(BIN)/pytest -q -m long -n auto tests/model tests/contracts
	$(BIN)/python -m tests.chaos.run --scale $(or $(N),1)
	$(BIN)/python -m tests.chaos.order_of_mails --scale $(or $(N),1)
	$(BIN)/python -m tests.chaos.rewritten --scale $(or $(N),1)

chaos-aws: ## the same on the local AWS server, with throttling, broken calls and lost answers (N=0.1 for a tenth)
	@$(INSTALL) dev
	$(BIN)/pytest -q -m long -n auto tests/scenarios
	$(BIN)/python -m tests.chaos.run --place many-machines --scale $(or $(N),1)
	$(BIN)/python -m tests.chaos.run --place the-flow --scale $(or $(N),1)

fuzz: ## mails that nobody would write, for minutes: no error, 2 s and 300 MB a mail (M=0.5 for half a minute)
	@$(INSTALL) dev
	$(BIN)/pytest -q -m long -n auto tests/fuzz
	$(BIN)/python -m tests.fuzz.run --minutes $(or $(M),3)

mutation: ## break one small thing at a time and list what no quick test notices (ROOM='routing mail/identity', TESTS=tests/checks/test_corpus.py to ask first, N=all, SEED=2; else what changed)
	@$(INSTALL) dev
	@$(BIN)/python -m tests.mutation.run $(or $(ROOM),--changed) --number $(or $(N),40) --seed $(or $(SEED),1) --tests '$(TESTS)'

aws-local: ## all of AWS on this machine: a mail into the bucket, the flow state by state (ONCE=1: exit when answered)
	@$(INSTALL) dev
	@$(BIN)/webordinary aws local --folder build/aws-local $(if $(ONCE),--once)

bench-aws: ## what a mail and an idle hour ask of AWS, counted; also in build/bench-aws.json (QUICK=1: only see that it works)
	@$(INSTALL) dev
	@$(BIN)/python -m bench.aws $(if $(QUICK),--quick)

scale-aws: ## a synthetic day of 100,000 sites against DynamoDB Local, units by key; also in build/scale-aws.json (QUICK=1: only see that it works)
	@$(INSTALL) dev
	@$(BIN)/python -m bench.aws_scale $(if $(QUICK),--quick)

image: ## build the container image with docker, podman or buildah (AGENT=claude, CHROMIUM=no, PUSH=registry/name)
	@AGENT='$(AGENT)' CHROMIUM='$(CHROMIUM)' ENGINE='$(ENGINE)' PLATFORM='$(PLATFORM)' PUSH='$(PUSH)' packages/image

synth: ## the templates for AWS in build/cdk.out, offline (DOMAIN=example.com REGION=eu-central-1, and more: docs/howto/deploy-aws.md)
	@$(INSTALL) dev
	@$(BIN)/python -m infra domain=$(DOMAIN) region=$(REGION) prefix=$(PREFIX) capacity=$(CAPACITY) image=$(IMAGE) \
		workers=$(WORKERS) min-workers=$(MIN_WORKERS) agency=$(AGENCY) alarm-mail=$(ALARM_MAIL) restored=$(RESTORED) agent=$(AGENT) \
		provider=$(PROVIDER) certificate=$(CERTIFICATE) identity=$(IDENTITY) dashboard=$(DASHBOARD) anyway=$(ANYWAY)
