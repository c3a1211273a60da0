# tilelab: from an experiment file to a report about this machine.
#
#   experiments/ --> src/ + kernels/ --> data/ --> figures/ --> report/ --> build/report.pdf
#
# SPDX-License-Identifier: MIT

#@ Variables
EXP     ?=#             the studies, names from experiments/, or files; EXP and EXPS are one thing
HOSTS   ?=#             report, site: recorded hosts to show beside this machine (default: of verdicts; with EXPS none)
LANGUAGE ?= en#         report: en or ru
STYLE   ?= plain#       report: plain, or gost: the layout of GOST 7.32
AUTHOR  ?= report/author.yaml#  report: who hands it in
LISTINGS ?= final#      report: kernels to print, final (own ones) or all
EXPS    ?=#             only these studies (default: all but smoke; counters: lab5-aat; record: all)
PROFILE ?= quick#       quick, full (the grid as the source has it) or record
BUDGET  ?=#             stop measuring after this time, "10m"; the next call continues
MEASURE ?= yes#         report: "no" measures nothing and shows the results that are there
ARGS    ?=#             run, plan, record: further options of `tilelab run`, ARGS="--set n=512"
DATA    ?= data/local#  the folder of this machine's results
REPORT  ?= build/report.pdf#  the file of the report
HOST    ?=#             record: the name of the folder in data/
NEED    ?=#             record: only cells that run on this kind of processor, cpu or gpu
N       ?=#             submit: the number of parts; check-grades: how often
TASKS   ?=#             submit: only these parts again, "2,5"
CLUSTER ?= cluster.conf#  submit: the file of what Slurm is asked for
PREFIX  ?= /usr/local#  install: the folder to install into
CUDA_ARCH ?=#           GPU architectures, as nvcc -arch takes them (this GPU's; all-major: every GPU, also without one)
TIME    ?= 60#        fuzz, torture: how long, "10m"; fuzz: of each target
SUITE   ?= bookworm#    check-bare: the release of Debian, bookworm or trixie
SEED    ?= 1#         fuzz, torture: another seed is another campaign
SYCLCXX ?=#             the SYCL compiler: acpp, icpx or "clang++ -fsycl" (default: the first that is installed)
JOBS    ?= $(shell nproc 2>/dev/null || echo 1)#  how many commands run at once; test: 1 runs one check at a time
V       ?= 0#           1: print every command

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules --no-print-directory
# Every machine writes numbers and dates, and sorts names, in the same way.
export LC_ALL := C.UTF-8
export TZ := UTC

ifneq ($(filter setup,$(MAKECMDGOALS)),)
# `setup` installs programs that the other goals detect, so that a fresh make takes these goals.
REST := $(filter-out setup,$(MAKECMDGOALS))
.PHONY: setup $(REST)
setup:
	@tools/setup $(REST)
	$(if $(REST),@+$(MAKE) $(REST))
$(REST): setup ; @:
else

# The build runs several commands at once, unless the caller says how many.
ifeq ($(filter -j% --jobserver%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(JOBS)
endif

BUILD := build
# BUILD stands in every command and in the names of targets, so that it is a plain name.
open := (
close := )
hash := \#
UNPLAIN := $$ ` ' " \ ; & | < > $(open) $(close) $(hash) * ? [ ] { } ~ ! % :
ifneq ($(strip $(foreach sign,$(UNPLAIN),$(findstring $(sign),$(BUILD))))$(word 2,$(BUILD))$(if $(BUILD),,none),)
$(error BUILD is a folder named by letters, digits and ./_+-, not '$(BUILD)')
endif
ifeq ($(origin REPORT),file)
REPORT := $(BUILD)/report.pdf
endif
TILELAB := $(BUILD)/tilelab
Q := $(if $(filter 1,$(V)),,@)
# $(call quoted,text): the text as one word of the shell.
quoted = '$(subst ','\'',$(1))'
# $(call step,STEP,target) prints one line for each action.
step = @printf '%-8s %s\n' $(1) $(call quoted,$(2))

# EXP and EXPS are one thing: names, also with commas between them and with .yaml, or files. A path that leads out of
# experiments/ is the file that it names, and so is a file *.yaml that is here.
comma := ,
study_of = $(patsubst %.yaml,%,$(patsubst experiments/%,%,$(patsubst ./%,%,$(patsubst $(CURDIR)/%,%,$(1)))))
is_file = $(if $(findstring /,$(1)),$(findstring /,$(study_of)),$(and $(filter %.yaml,$(1)),$(wildcard $(1))))
ASKED := $(strip $(foreach word,$(subst $(comma), ,$(EXP) $(EXPS)), \
    $(if $(call is_file,$(word)),$(word),$(call study_of,$(word)))))
OWN := $(strip $(foreach word,$(ASKED),$(if $(findstring /,$(word))$(filter %.yaml,$(word)),$(word))))
override EXP := $(ASKED)
override EXPS := $(ASKED)
COUNTED := $(or $(EXPS),lab5-aat)
STUDIES := $(sort $(basename $(notdir $(wildcard experiments/*.yaml))))
override HOSTS := $(or $(HOSTS),$(if $(EXPS),none,all))
override EXPS := $(or $(EXPS),$(filter-out smoke,$(STUDIES)))
unknown := $(filter-out $(STUDIES) $(OWN),$(EXP) $(EXPS))
ifneq ($(unknown),)
nearest := $(shell tools/nearest $(call quoted,$(firstword $(unknown))) $(STUDIES))
$(error no study named '$(firstword $(unknown))' in experiments/; $(if $(nearest),did you mean '$(nearest)'? T,t)here \
    are: $(STUDIES))
endif
of_studies := $(firstword $(filter report figures site readme record submit,$(MAKECMDGOALS)))
ifneq ($(and $(OWN),$(of_studies)),)
$(error make $(of_studies) takes the studies in experiments/, and $(firstword $(OWN)) is a file elsewhere; copy it \
    there$(if $(filter report,$(of_studies)),$(comma) or type: $(BUILD)/tilelab report $(firstword $(OWN))))
endif
ifeq ($(filter quick full record,$(PROFILE)),)
$(error PROFILE is quick, full or record, not '$(PROFILE)')
endif
ifeq ($(filter yes no,$(MEASURE)),)
$(error MEASURE is yes or no, not '$(MEASURE)')
endif

ifneq ($(filter-out help clean image check-bare setup-mkl setup-peers setup-mpi setup-cuda-mp, \
    $(or $(MAKECMDGOALS),help)),)
detected := $(shell CC='$(if $(filter default,$(origin CC)),,$(CC))' \
    $(if $(filter file,$(origin SYCLCXX)),,SYCLCXX=$(call quoted,$(SYCLCXX))) \
    tools/detect $(call quoted,$(BUILD)/config.mk))
ifeq ($(shell [ -d $(BUILD) ] && [ -w $(BUILD) ] && echo yes),)
$(error $(BUILD) cannot be written; build in another folder, BUILD=/tmp/build)
endif
include $(BUILD)/config.mk
CUDA_ASKED := $(or $(GPU),$(CUDA_ARCH))
CUDA_ARCH := $(or $(CUDA_ARCH),$(CUDA_ARCH_HERE))
include mk/build.mk $(sort $(wildcard src/backend/*/*.mk)) $(filter-out mk/build.mk,$(sort $(wildcard mk/*.mk)))
-include report/report.mk
-include site/site.mk
endif

files = $(foreach word,$(1),$(if $(filter $(word),$(OWN)),$(call quoted,$(word)),experiments/$(word).yaml))
# What a measurement on this machine needs. The cells of other backends are skipped.
RUNNABLE := $(TILELAB) $(BACKEND_NEEDED)
RUN = $(TILELAB) run --profile $(PROFILE) --data $(call quoted,$(DATA)) \
    $(if $(BUDGET),--budget $(call quoted,$(BUDGET))) $(ARGS)

# What was typed: the program tells it as the command that goes on after an interruption or a spent budget.
here = $(if $(subst x$(CURDIR),,x$(PWD)),$(filter $(CURDIR),$(realpath $(PWD))),here)
TYPED = make $(if $(here),,-C $(if $(word 2,$(CURDIR)),$(call quoted,$(CURDIR)),$(CURDIR))) \
    $(MAKECMDGOALS) $(MAKEOVERRIDES)
run measure record: export TILELAB_TYPED = $(TYPED)

.PHONY: help setup setup-mkl setup-peers setup-mpi doctor build list plan run measure counters figures report site
.PHONY: setup-cuda-mp readme archive test faults fuzz mutants races torture compare-proof check-report lint bench
.PHONY: record submit check-slurm check-bare check-grades check-site install image format clean

#@ Targets
help: ## print this text
	@echo 'make setup report    installs what is missing, measures this machine, writes '$(call quoted,$(REPORT))
	@echo 'make setup test      installs what is missing, checks everything'
	@awk -f tools/help.awk Makefile
	@printf '\nStudies: %s\n' '$(STUDIES)'

setup: ## install what the goals after it need and lack; without goals: all packages

setup-mpi: ## install OpenMPI and ScaLAPACK, to measure problems over several processes
	$(Q)tools/setup mpi

setup-mkl: ## copy Intel's MKL from PyPI into build/mkl, a further library to compare with
	$(Q)tools/setup-mkl $(BUILD)/mkl

setup-peers: setup-mkl ## copy a newer OpenBLAS from PyPI into build/peers, and MKL, to compare with
	$(Q)tools/setup-peers $(BUILD)/peers

setup-cuda-mp: ## copy NVIDIA's libraries for several GPUs from PyPI into build/cuda-mp
	$(Q)tools/setup-cuda-mp $(BUILD)/cuda-mp

doctor: $(if $(MISSING_BUILD),,$(TILELAB)) ## say what was found, what is missing, and how to install it
	$(if $(MISSING_BUILD),,@$(TILELAB) doctor)
	@tools/setup --list
	@[ -z "$(NVCC_WHY)" ] || echo "  nvcc: $(NVCC_WHY)"

build: $(TILELAB) $(filter-out $(BACKEND_IDLE),$(BACKEND_GOALS)) ## build the program, and the code of GPU, SYCL, MPI

list: $(TILELAB) ## list problems, variants, studies, and kinds of figures and tables
	@$(TILELAB) list
	@report/kinds

plan: $(RUNNABLE) ## say what `make run` or `make measure` would do, and how long that takes
	@$(TILELAB) plan --profile $(PROFILE) --data $(call quoted,$(DATA)) $(ARGS) $(call files,$(EXPS))

run: $(RUNNABLE) ## measure what is missing or stale of EXP, and say why; PROFILE=full: the whole grid
	@[ -n $(call quoted,$(EXP)) ] || { echo 'make run EXP=NAME, one of: $(STUDIES)' >&2; exit 2; }
	$(Q)$(RUN) $(call files,$(EXP))

# A failed cell is a row of the report and does not prevent the report. Two calls wait for each other.
measure: $(RUNNABLE) ## measure what is missing or stale of all studies
	$(Q)$(RUN) --wait $(call files,$(EXPS)) || [ $$? -eq 1 ]

counters: $(RUNNABLE) ## read the GPU's hardware counters of EXPS with Nsight Compute
	$(Q)$(TILELAB) count --profile $(PROFILE) --data $(call quoted,$(DATA)) $(call files,$(COUNTED))

figures: ## draw the figures and tables of EXPS

report: ## measure what is missing (MEASURE=no: nothing), draw the figures, typeset the report
	@[ ! -d $(call quoted,$(DATA)) ] || $(TILELAB) query --data $(call quoted,$(DATA)) \
	    --set studies=$(call quoted,$(EXPS)) --format lines tools/failures.sql
	@[ -n '$(NO_PDF)' ] || [ ! -e $(call quoted,$(REPORT)) ] || printf '%-8s %s\n' REPORT $(call quoted,$(REPORT))

site: ## write results, samples and kernels of EXPS as static HTML into build/site; it measures nothing

readme: $(TILELAB) figures ## rewrite the README's results, kernels/README.md and data/datapackage.json
	$(call step,README,README.md)
	$(Q)tools/readme $(TILELAB) README.md
	$(Q)tools/ladder $(TILELAB) >$(BUILD)/ladder.md
	$(Q)mv $(BUILD)/ladder.md kernels/README.md
	$(Q)TILELAB=$(TILELAB) tools/datapackage --recorded data >$(BUILD)/datapackage.json
	$(Q)mv $(BUILD)/datapackage.json data/datapackage.json

archive: $(TILELAB) ## pack data, studies, report and environment into build/archive.tar.gz, an RO-Crate
	$(call step,ARCHIVE,$(BUILD)/archive.tar.gz)
	$(Q)TILELAB=$(TILELAB) REPORT=$(call quoted,$(REPORT)) tools/archive $(BUILD)/archive

test: ## run every check; ends with "N passed, N failed, N skipped"

faults: ## kill the runner, let calls fail and mix orders of runs, for hours; make test does some of it

fuzz: ## feed made-up files and texts to every reader, for TIME each; needs clang

mutants: ## make wrong kernels and wrong bank models, and see that each is caught

races: ## run all OpenMP variants under ThreadSanitizer; needs LLVM's OpenMP with Archer

torture: ## kills, failing calls, full disks, damaged journals, hostile records and kernels, for TIME

compare-proof: ## compare a kernel with itself 100 times, and with one that takes 5 % more time; minutes

check-slurm: $(TILELAB) ## measure in parts under a Slurm of three simulated nodes; as root, with slurm-wlm and munge
	$(Q)TILELAB='$(abspath $(TILELAB))' tests/slurm.sh

check-bare: ## follow the README in empty roots of Debian SUITE; as root; fills doc/setup.csv
	$(Q)tests/ways $(call quoted,$(SUITE))

check-site: ## look at each kind of page of the site with Chromium and axe-core; takes minutes

check-report: ## typeset all studies in each language and count the pages; takes minutes

check-grades: ## grade one kernel N times (100), and count the marks that it gets; takes an hour

lint: ## check how the sources are written: rooms, names, format, shell, width of lines, strays, pages

bench: $(TILELAB) ## print what the project costs and reaches; BEFORE=PROGRAM adds the figures of an earlier build
	@tools/bench $(TILELAB)

record: build ## measure what data/HOST still needs, the most wanted cells first: make record HOST=name BUDGET=8m
	@[ -n $(call quoted,$(HOST)) ] || { \
	    echo 'make record HOST=NAME (a name of your choice, kept in data/NAME)' >&2; exit 2; }
	$(Q)tools/record $(call quoted,$(HOST)) --profile $(if $(filter file,$(origin PROFILE)),record,$(PROFILE)) \
	    $(if $(BUDGET),--budget $(call quoted,$(BUDGET))) $(if $(NEED),--need $(call quoted,$(NEED))) \
	    $(ARGS) $(ASKED)

submit: $(RUNNABLE) ## measure in N parts as a Slurm job array, join them in data/HOST, make the report: make submit N=8
	@[ -n $(call quoted,$(N)) ] || \
	    { echo 'make submit N=PARTS HOST=NAME EXPS="..." (the same N in every call)' >&2; exit 2; }
	$(Q)TASKS=$(call quoted,$(TASKS)) PROFILE=$(PROFILE) CLUSTER=$(call quoted,$(CLUSTER)) \
	    REPORT=$(call quoted,$(REPORT)) tools/submit $(call quoted,$(N)) $(call quoted,$(or $(HOST),cluster)) $(EXPS)

install: build ## install the program, the GPU's code, and what a report is made from, into PREFIX
	$(call step,INSTALL,$(DESTDIR)$(PREFIX))
	$(Q)tools/install $(TILELAB) $(call quoted,$(DESTDIR)$(PREFIX)) \
	    $(BACKEND_OBJECTS) $(wildcard $(BUILD)/lib*omp*.so*)

image: ## build the container image, and say its size and how long that took; ENGINE=docker, podman or buildah
	$(Q)tools/image $(ARGS)

format: ## run clang-format over all C, CUDA and SYCL sources
	$(Q)find src kernels tests -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.cpp' | \
	    xargs $(or $(CLANG_FORMAT),clang-format) -i

clean: ## remove everything that was built; the results in data/ stay
	$(Q)rm -rf build

# While something is measured, nothing else runs.
test bench: | $(filter run measure counters figures report,$(MAKECMDGOALS))
bench: | $(filter test,$(MAKECMDGOALS))
endif
