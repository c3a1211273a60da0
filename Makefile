# tilelab: from an experiment file to a report about this machine.
#
#   experiments/ --> src/ + kernels/ --> data/ --> figures/ --> report/ --> build/report.pdf
#
# SPDX-License-Identifier: MIT

#@ Variables
EXP     ?=#             run: the studies to measure, names from experiments/
EXPS    ?=#             measure, figures, report: these studies only (default: all but smoke; counters: lab5-aat)
PROFILE ?= quick#       quick, full (the grid as the source has it) or record
BUDGET  ?=#             stop measuring after this long, "10m"; the next call goes on
ARGS    ?=#             more options for `tilelab run`
DATA    ?= data/local#  where this machine's results are
REPORT  ?= build/report.pdf#  the PDF
HOST    ?=#             record: the name under data/
PREFIX  ?= /usr/local#  install: where to
CUDA_ARCH ?= all-major# GPU architectures, as nvcc -arch takes them
JOBS    ?= $(shell nproc 2>/dev/null || echo 1)#  jobs while building
V       ?= 0#           1: print every command

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules --no-print-directory
# Numbers, sort orders and dates are the same on every machine.
export LC_ALL := C.UTF-8
export TZ := UTC

ifneq ($(filter setup,$(MAKECMDGOALS)),)
# What setup installs changes what the rest would detect: the other goals go to a fresh make.
REST := $(filter-out setup,$(MAKECMDGOALS))
.PHONY: setup $(REST)
setup:
	@tools/setup $(REST)
	$(if $(REST),@+$(MAKE) $(REST))
$(REST): setup ;
else

# Several jobs, unless the caller has said how many.
ifeq ($(filter -j% --jobserver%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(JOBS)
endif

BUILD := build
TILELAB := $(BUILD)/tilelab
Q := $(if $(filter 1,$(V)),,@)
# STEP target: one line an action.
step = @printf '%-8s %s\n' $(1) '$(2)'

COUNTED := $(or $(EXPS),lab5-aat)
STUDIES := $(sort $(basename $(notdir $(wildcard experiments/*.yaml))))
override EXPS := $(or $(EXPS),$(filter-out smoke,$(STUDIES)))
unknown := $(filter-out $(STUDIES),$(EXP) $(EXPS))
ifneq ($(unknown),)
$(error no study named '$(firstword $(unknown))' in experiments/; there are: $(STUDIES))
endif
ifeq ($(filter quick full record,$(PROFILE)),)
$(error PROFILE is quick, full or record, not '$(PROFILE)')
endif

ifneq ($(filter-out help clean setup-mkl,$(or $(MAKECMDGOALS),help)),)
detected := $(shell CC='$(if $(filter default,$(origin CC)),,$(CC))' tools/detect $(BUILD)/config.mk)
include $(BUILD)/config.mk
include mk/build.mk mk/cuda.mk mk/test.mk
-include report/report.mk
endif

files = $(patsubst %,experiments/%.yaml,$(1))
# Device code is needed where there is a device; everywhere else its cells are skipped.
RUNNABLE := $(TILELAB) $(if $(GPU),cuda)
RUN = $(TILELAB) run --profile $(PROFILE) --data $(DATA) $(if $(BUDGET),--budget $(BUDGET)) $(ARGS)

.PHONY: help setup setup-mkl doctor build cuda list plan run measure counters figures report readme test lint bench record
.PHONY: install format clean

#@ Targets
help: ## this text
	@echo 'make setup report    installs what is missing, measures this machine, writes $(REPORT)'
	@echo 'make setup test      installs what is missing, checks everything'
	@awk -f tools/help.awk Makefile
	@printf '\nStudies: %s\n' '$(STUDIES)'

setup: ## install what is missing for the goals after it (all of it, if there are none)

setup-mkl: ## Intel's MKL from PyPI into build/mkl, one more library to compare with; never by default
	$(Q)tools/setup-mkl $(BUILD)/mkl

doctor: $(if $(MISSING_BUILD),,$(TILELAB)) ## what was found, what is missing, what that costs, how to install it
	$(if $(MISSING_BUILD),,@$(TILELAB) doctor)
	@tools/setup --list
	@[ -z "$(NVCC_WHY)" ] || echo "  nvcc: $(NVCC_WHY)"

build: $(TILELAB) cuda ## the program, and the GPU's code where nvcc is there

list: $(TILELAB) ## problems, variants and studies
	@$(TILELAB) list

plan: $(RUNNABLE) ## what `make run` or `make measure` would do, and for how long
	@$(TILELAB) plan --profile $(PROFILE) --data $(DATA) $(call files,$(or $(EXP),$(EXPS)))

run: $(RUNNABLE) ## measure what is missing or stale of EXP, and say why; PROFILE=full for the whole grid
	@[ -n '$(EXP)' ] || { echo 'make run EXP=NAME, one of: $(STUDIES)' >&2; exit 2; }
	$(Q)$(RUN) $(call files,$(EXP))

# Failed cells are rows of the report, so they do not keep it from being made.
measure: $(RUNNABLE) ## measure what is missing or stale of all studies
	$(Q)$(RUN) $(call files,$(EXPS)) || [ $$? -eq 1 ]

counters: $(RUNNABLE) ## read the GPU's hardware counters of EXPS with Nsight Compute
	$(Q)$(TILELAB) count --profile $(PROFILE) --data $(DATA) $(call files,$(COUNTED))

figures: ## draw the figures and tables of EXPS

report: ## measure what is missing, draw, typeset
	@$(TILELAB) query --data $(DATA) --format lines tools/failures.sql
	@[ ! -e '$(REPORT)' ] || printf '%-8s %s\n' REPORT '$(REPORT)'

readme: $(TILELAB) figures ## rewrite the README's results from the recorded data
	$(call step,README,README.md)
	$(Q)tools/readme $(TILELAB) README.md

test: ## every check; ends with "N passed, N failed"

lint: ## how the sources are written: rooms, names, format, shell, width of lines

bench: $(TILELAB) ## the project's own costs, as numbers
	@tools/bench $(TILELAB)

record: build ## a run kept in data/HOST, PROFILE=record unless given: make record HOST=name BUDGET=8m
	@[ -n '$(HOST)' ] || { echo 'make record HOST=NAME (a name of your choice, kept in data/NAME)' >&2; exit 2; }
	$(Q)tools/record $(HOST) --profile $(if $(filter file,$(origin PROFILE)),record,$(PROFILE)) $(if $(BUDGET),--budget $(BUDGET))

install: build ## program, GPU code and man page into PREFIX
	$(call step,INSTALL,$(DESTDIR)$(PREFIX))
	$(Q)install -D -m 755 $(TILELAB) $(DESTDIR)$(PREFIX)/bin/tilelab
	$(Q)install -D -m 644 doc/tilelab.1 $(DESTDIR)$(PREFIX)/share/man/man1/tilelab.1
	$(Q)for object in $(CUDA_OBJECTS); do \
	    install -D -m 644 $$object $(DESTDIR)$(PREFIX)/lib/tilelab/$${object##*/}; done

format: ## clang-format over all C and CUDA sources
	$(Q)$(or $(CLANG_FORMAT),clang-format) -i $(wildcard $(foreach d,src src/* kernels/* tests/unit tests/unit/fake,$(d)/*.[ch] $(d)/*.cu $(d)/*.cuh))

clean: ## remove everything built; results in data/ stay
	$(Q)rm -rf build

# Nothing else runs while something is measured.
test bench: | $(filter run measure counters figures report,$(MAKECMDGOALS))
bench: | $(filter test,$(MAKECMDGOALS))
endif
