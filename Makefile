# Needs Python 3.11 or newer with pip, and make. `make` alone lists the targets.
#
# Two virtual environments: .venv-serve holds what the service needs and nothing else, so that a
# stray import of torch fails here before it fails in production; .venv holds everything. Each is
# rebuilt only when what it is made of changes.

PYTHON ?= python3
# Given as `make serve HOST=…`, or in the environment as for the service itself. Not as HOST there: some shells export
# the machine's name under it, and others would reach the service.
HOST = $(or $(REDER_HOST),127.0.0.1)
PORT = $(or $(REDER_PORT),8000)
BUNDLE = $(or $(REDER_BUNDLE),bundles/reder-medium)
BENCH ?= load
JOBS ?= 3
ARGS ?=

SERVE := .venv-serve
DEV := .venv
LOCK := build/lock
# What an installation is made of: what is in C is built with it.
INSTALLED := pyproject.toml constraints.txt hatch_build.py model/bundle/search.c $(wildcard service/engine/kernels/*.[ch])
RULE := deploy/kubernetes/components/monitoring/prometheusrule.yaml

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help serve test soak check format bench quality docs train lock clean

help: ## list the targets
	@echo 'usage: make TARGET [VARIABLE=value]'
	@sed -n -E 's/^([a-z]+):.*## (.*)/  \1 - \2/p' $(MAKEFILE_LIST)

serve: $(SERVE)/.installed ## start the service; HOST=127.0.0.1 PORT=8000 BUNDLE=bundles/reder-medium
	REDER_HOST='$(HOST)' REDER_PORT='$(PORT)' REDER_BUNDLE='$(BUNDLE)' exec $(SERVE)/bin/reder serve

test: $(DEV)/.installed ## run every test, JOBS=3 at a time; ARGS='-k batcher' goes to pytest
	$(DEV)/bin/python -m pytest -n $(JOBS) $(ARGS)

soak: $(DEV)/.installed ## break a service for minutes and see that it holds; ARGS='--minutes 1' or '--help'
	$(DEV)/bin/python -m tests.soak --bundle $(BUNDLE) $(ARGS)

check: $(DEV)/.installed ## ruff, mypy --strict, import rules
	$(DEV)/bin/ruff check
	$(DEV)/bin/ruff format --check
	$(DEV)/bin/mypy
	$(DEV)/bin/lint-imports

format: $(DEV)/.installed ## let ruff rewrite what it can
	$(DEV)/bin/ruff check --fix
	$(DEV)/bin/ruff format

bench: $(DEV)/.installed ## measure speed; BENCH=load, service, variants, batchers, engine, gpu …, ARGS='--help'
	$(DEV)/bin/python -m benchmarks $(BENCH) $(ARGS)

quality: $(DEV)/.installed ## BLEU and chrF beside published systems; BUNDLE=bundles/reder-medium, ARGS='--help'
	$(DEV)/bin/python -m benchmarks quality --bundle $(BUNDLE) $(ARGS)

docs: $(DEV)/.installed ## write what follows from other files: docs/configuration.md, the alerts for Kubernetes
	$(DEV)/bin/python -m service.settings > docs/configuration.md
	{ sed '/^spec:/q' $(RULE); sed 's/^./  &/' deploy/prometheus/alerts.yml; } > $(RULE).new
	mv $(RULE).new $(RULE)

train: $(DEV)/.installed ## train a model; RECIPE=model/recipes/NAME.toml
	@test -n '$(RECIPE)' || { echo 'usage: make train RECIPE=model/recipes/NAME.toml'; exit 2; }
	$(DEV)/bin/reder train $(RECIPE) $(ARGS)

clean: ## remove the virtual environments, what was built and every cache
	rm -rf $(SERVE) $(DEV) build dist model/bundle/_search.so service/engine/kernels/_network.so .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# ------------------------------------------------------------------------- virtual environments

# $(call install,FOLDER,EXTRAS): the stamp is written last, so an interrupted install is repeated.
define install
	@command -v $(PYTHON) >/dev/null || { echo '$(PYTHON) not found: set PYTHON to a Python 3.11 or newer'; exit 1; }
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Python 3.11 or newer is needed, \
	this is " + sys.version.split()[0] + ": set PYTHON to another")'
	$(PYTHON) -m venv $(1)
	$(1)/bin/python -m pip install --quiet --constraint constraints.txt --editable '.[$(2)]'
	@touch $@
endef

$(SERVE)/.installed: $(INSTALLED)
	$(call install,$(SERVE),cpu)

$(DEV)/.installed: $(INSTALLED)
	$(call install,$(DEV),cpu$(comma)otel$(comma)train$(comma)bench$(comma)dev)

comma := ,

# ---------------------------------------------------------------------------------- constraints

COMPILE = $(LOCK)/bin/pip-compile --quiet --strip-extras --allow-unsafe --annotation-style=line \
	--no-header --no-emit-options --no-emit-index-url --no-emit-find-links pyproject.toml

# Left out: local version labels (torch 2.13.0+cpu is torch 2.13.0), and the CUDA packages of torch,
# which it pins itself where its build needs them.
TIDY = sed -E -e '/^\#/d' -e '/^$$/d' -e 's/\+[a-z0-9.]+//' -e 's/ \(pyproject.toml\)//' -e 's/ +\#/  \#/'

lock: ## resolve every dependency again: constraints.txt and constraints-gpu.txt
	$(PYTHON) -m venv $(LOCK)
	$(LOCK)/bin/python -m pip install --quiet --upgrade pip pip-tools
	rm -f $(LOCK)/cpu.txt $(LOCK)/gpu.txt
	$(COMPILE) --extra cpu --extra otel --extra train --extra align --extra bench --extra fetch --extra ray --extra dev --output-file $(LOCK)/cpu.txt
	{ echo '# Every version that the extras cpu, otel, train, align, bench, fetch, ray and dev install (Linux, Python 3.11).'; \
	  echo '# Written by `make lock`; change pyproject.toml, not this file.'; \
	  $(TIDY) -e '/^(nvidia|cuda|triton)/d' $(LOCK)/cpu.txt; } > $(LOCK)/constraints.txt
	$(COMPILE) --extra gpu --constraint $(LOCK)/constraints.txt --output-file $(LOCK)/gpu.txt
	{ echo '# What the extra gpu installs beyond constraints.txt: give pip both. Apart from it, because a'; \
	  echo '# CUDA build of torch pins its own CUDA packages. Written by `make lock`.'; \
	  $(TIDY) -e '/via -c /d' $(LOCK)/gpu.txt; } > constraints-gpu.txt
	mv $(LOCK)/constraints.txt constraints.txt
