# The site: site/build.sh decides by content whether it has to be made anew.
# SPDX-License-Identifier: MIT

site: $(BUILD)/tilelab | $(REPORT_AFTER) $(filter report figures,$(MAKECMDGOALS))
	$(Q)TILELAB=$(TILELAB) BUILD=$(BUILD) DATA=$(call quoted,$(DATA)) EXPS=$(call quoted,$(EXPS)) \
	    HOSTS=$(call quoted,$(HOSTS)) REPORT_LANGUAGE=$(call quoted,$(LANGUAGE)) site/build.sh

# The check needs a browser, so that `make test` lacks it.
check-site: $(BUILD)/tilelab
	$(Q)TILELAB=$(TILELAB) BUILD=$(BUILD) tests/site-pages.sh
