# Figures and report: report/build.sh decides by content what has to be made anew.
# SPDX-License-Identifier: MIT

# The environment's LANGUAGE is a list for messages of programs, such as "en_US:en". The report takes it if it is one of
# the report's own languages.
LANGUAGES := $(notdir $(wildcard report/text/*))
STYLES := $(basename $(notdir $(wildcard report/styles/*)))
ifeq ($(filter $(LANGUAGES),$(LANGUAGE)),)
ifneq ($(origin LANGUAGE),environment)
$(error LANGUAGE is one of: $(LANGUAGES); not '$(LANGUAGE)')
endif
override LANGUAGE := en
endif
ifeq ($(filter $(STYLES),$(STYLE)),)
$(error STYLE is one of: $(STYLES); not '$(STYLE)')
endif

BUILD_REPORT = TILELAB=$(TILELAB) BUILD=$(BUILD) REPORT=$(call quoted,$(REPORT)) DATA=$(call quoted,$(DATA)) \
    EXPS=$(call quoted,$(EXPS)) HOSTS=$(call quoted,$(HOSTS)) LISTINGS=$(call quoted,$(LISTINGS)) \
    REPORT_LANGUAGE=$(call quoted,$(LANGUAGE)) REPORT_STYLE=$(call quoted,$(STYLE)) AUTHOR=$(call quoted,$(AUTHOR)) \
    report/build.sh
REPORT_AFTER = $(filter measure run,$(MAKECMDGOALS))

.PHONY: typeset check-report
check-report: $(BUILD)/tilelab
	$(Q)TILELAB=$(TILELAB) tests/report-pages.sh

figures: $(BUILD)/tilelab | $(REPORT_AFTER)
	$(Q)$(BUILD_REPORT) figures

# Without gnuplot, rsvg-convert or LaTeX the report is text. That is told before anything is measured.
NO_PDF := $(strip $(if $(GNUPLOT),,gnuplot) $(if $(RSVG_CONVERT),,rsvg-convert) $(if $(LATEXMK),,LaTeX))
AS_TEXT := $(REPORT:.pdf=.md)
report: $(if $(NO_PDF),report-as-text,typeset)
.PHONY: tell-no-pdf report-as-text
tell-no-pdf:
	@echo 'There will be no PDF without $(subst $() $(), and ,$(NO_PDF)): the results go to $(AS_TEXT);' \
	    '`make setup` installs what is missing' >&2
ifneq ($(filter report,$(if $(NO_PDF),$(MAKECMDGOALS))),)
measure: | tell-no-pdf
endif
report-as-text: tell-no-pdf $(if $(filter no,$(MEASURE)),$(BUILD)/tilelab,measure)
	$(call step,TEXT,$(AS_TEXT))
	$(Q)TILELAB=$(TILELAB) DATA=$(call quoted,$(DATA)) EXPS=$(call quoted,$(EXPS)) \
	    report/text.sh $(call quoted,$(AS_TEXT))
	@[ ! -e $(call quoted,$(REPORT)) ] || echo $(call quoted,$(REPORT)) 'is older than these results' >&2

# What is wrong with the settings of a report is told before anything is measured.
.PHONY: check-settings
check-settings: $(BUILD)/tilelab
	$(Q)$(BUILD_REPORT) check
ifneq ($(filter report,$(if $(NO_PDF),,$(MAKECMDGOALS))),)
measure: | check-settings
endif

# Measuring first: its result decides which figures and tables there are.
typeset: $(if $(filter no,$(MEASURE)),$(BUILD)/tilelab,measure) | $(filter run figures,$(MAKECMDGOALS))
	$(Q)$(BUILD_REPORT) report
