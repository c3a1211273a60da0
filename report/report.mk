# Figures and report: report/build.sh decides by content what has to be made anew.
# SPDX-License-Identifier: MIT

BUILD_REPORT = TILELAB=$(TILELAB) BUILD=$(BUILD) REPORT='$(REPORT)' DATA='$(DATA)' EXPS='$(EXPS)' \
    HOSTS='$(HOSTS)' LISTINGS='$(LISTINGS)' report/build.sh
REPORT_AFTER = $(filter measure run,$(MAKECMDGOALS))

.PHONY: typeset
figures: $(BUILD)/tilelab | $(REPORT_AFTER)
	$(Q)$(BUILD_REPORT) figures

report: typeset

# Measuring first: its result decides which figures and tables there are.
typeset: $(if $(filter no,$(MEASURE)),$(BUILD)/tilelab,measure) | $(filter run figures,$(MAKECMDGOALS))
	$(Q)$(BUILD_REPORT) report
