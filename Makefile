# SPDX-License-Identifier: GPL-2.0
#
#   make                the module for the running kernel, the tools, the manual
#   make module KDIR=…  the module for another kernel (its build folder)
#   make tools          the programs           make man      the manual pages
#   make install        install all            make uninstall  remove what was installed
#   make install-dkms   like install, but DKMS builds the module for each kernel
#   make install-tools  like install, without the module
#   make unit           build and run the unit tests
#   make fuzz           the fuzz targets (clang)
#   make htmldocs       the documentation as a site, in build/html (Sphinx, mandoc)
#   make golden         rewrite selftests/golden, the output that unit tests expect
#   make dist           the files of a release; see scripts/dist --help
#   make clean          remove what was built
#
# Everything is built below the directory O (default build). V=1 shows the commands. Files are installed
# below DESTDIR and PREFIX (/usr); Documentation/install.rst lists them.

VERSION := 0.1
PREFIX ?= /usr
# The directory in which the host's tc looks for plugins
TC_LIB_DIR ?= $(firstword $(patsubst %/,%,$(dir $(wildcard \
	$(addsuffix /tc/normal.dist,/usr/lib /usr/lib/*-linux-gnu* /usr/lib64)))) $(PREFIX)/lib/tc)
# The directory of libraries with which users link programs
LIB_DIR ?= $(PREFIX)/lib
O ?= build
V ?=
# The kernel's build system has a variable O with another meaning.
MAKEOVERRIDES := $(filter-out O=%,$(MAKEOVERRIDES))
Q := $(if $(filter 1,$(V)),,@)

KVER ?= $(shell uname -r)
KDIR ?= /lib/modules/$(KVER)/build
W ?=

all: module tools man

# The kernel's build system writes into the directory of the sources, so each kernel
# gets a separate directory with links to them.
farm = $(abspath $(O))/kmod/$(KVER)

module: $(KDIR)/Makefile
	@printf '  %-7s %s\n' KBUILD $(O)/kmod/$(KVER)
	$(Q)mkdir -p $(farm)
	$(Q)find $(farm) -type l -delete
	$(Q)cp -rs $(addprefix $(CURDIR)/,Kbuild kmod include) $(farm)/
	$(Q)$(MAKE) $(if $(Q),-s) -C $(KDIR) M=$(farm) $(if $(W),W=$(W)) modules

$(KDIR)/Makefile:
	@echo "make: $(KDIR): no headers of kernel $(KVER); install linux-headers-$(KVER), or give their directory with KDIR=" >&2
	@exit 1

tools selftest-tools unit golden fuzz:
	$(Q)$(MAKE) --no-print-directory -f tools/Makefile $@ O=$(O) V=$(V) VERSION=$(VERSION) PREFIX=$(PREFIX) COUNTS=$(COUNTS) UNDER=$(UNDER)

pages := $(wildcard Documentation/man/*.[1-8])
man_pages := $(foreach p,$(pages),$(O)/man/man$(subst .,,$(suffix $(p)))/$(notdir $(p)))

man: $(man_pages)

define page
$(O)/man/man$(subst .,,$(suffix $(1)))/$(notdir $(1)): $(1)
	$$(Q)install -D -m 644 $$< $$@
endef
$(foreach p,$(pages),$(eval $(call page,$(p))))

# The site. Each warning of Sphinx is an error.
htmldocs:
	$(Q)for program in sphinx-build mandoc; do command -v $$program >/dev/null || \
		{ echo "make: $$program: not installed; on Debian: apt install python3-sphinx mandoc" >&2; exit 1; }; done
	@printf '  %-7s %s\n' SPHINX $(O)/html
	$(Q)PYTHONDONTWRITEBYTECODE=1 sphinx-build -q -E -W --keep-going -j auto -b html \
		-d $(O)/html-doctrees Documentation $(O)/html

dest := $(DESTDIR)$(PREFIX)
data := $(dest)/share/rdmafault
completions := $(notdir $(wildcard tools/completion/*))
installed_module := $(DESTDIR)/lib/modules/$(KVER)/updates/rdmafault.ko
dkms_source := $(DESTDIR)/usr/src/rdmafault-$(VERSION)
# With DESTDIR the running system is not changed
DEPMOD ?= $(if $(DESTDIR),:,depmod)
DKMS ?= $(if $(DESTDIR),:,dkms)

install: install-tools install-module

install-tools: tools man
	$(Q)install -d $(dest)/bin $(dest)/sbin $(dest)/share/man $(data)/labs $(data)/Documentation/labs
	$(Q)install $(O)/bin/collperf $(O)/bin/train $(dest)/bin/
	$(Q)install $(O)/bin/rdmafault $(dest)/sbin/
	$(Q)install -D -m 644 $(O)/tc/q_rdmafault.so $(DESTDIR)$(TC_LIB_DIR)/q_rdmafault.so
	$(Q)install -D -m 644 $(O)/lib/librdmafault-step.so.0 $(DESTDIR)$(LIB_DIR)/librdmafault-step.so.0
	$(Q)ln -sf librdmafault-step.so.0 $(DESTDIR)$(LIB_DIR)/librdmafault-step.so
	$(Q)install -D -m 644 tools/step/step.h $(dest)/include/rdmafault/step.h
	$(Q)if [ -e $(O)/lib/librdmafault-mpi.so ]; then \
		install -D -m 644 $(O)/lib/librdmafault-mpi.so $(dest)/lib/rdmafault/librdmafault-mpi.so; fi
	$(Q)cp -r $(O)/man/. $(dest)/share/man/
	$(Q)install -d $(dest)/share/bash-completion/completions
	$(Q)install -m 644 $(addprefix tools/completion/,$(completions)) $(dest)/share/bash-completion/completions/
	$(Q)cd labs && find * -type f -exec install -D -m 644 '{}' '$(abspath $(data))/labs/{}' ';'
	$(Q)install -m 644 Documentation/labs/[0-9]*.rst $(data)/Documentation/labs/
	$(Q)install -m 644 tools/train/data/* $(data)/
	@echo "  INSTALL rdmafault, collperf, train, manual and labs below $(dest)"

install-module: module
	$(Q)install -D -m 644 $(farm)/rdmafault.ko $(installed_module)
	$(Q)$(DEPMOD) $(KVER)
	@echo "  INSTALL $(installed_module)"

install-dkms-source:
	$(Q)install -d $(dkms_source)
	$(Q)cp -r Kbuild dkms.conf kmod include $(dkms_source)/

install-dkms: install-tools install-dkms-source
	$(Q)$(DKMS) install rdmafault/$(VERSION) -k $(KVER)
	@echo "  INSTALL the module by DKMS from $(dkms_source)"

uninstall:
	$(Q)if [ -e $(dkms_source) ]; then $(DKMS) remove rdmafault/$(VERSION) --all; fi
	$(Q)rm -rf $(dkms_source)
	$(Q)rm -f $(wildcard $(DESTDIR)/lib/modules/*/updates/rdmafault.ko)
	$(Q)$(if $(DESTDIR),,for module in /lib/modules/*/modules.dep; do $(DEPMOD) "$$(basename "$$(dirname "$$module")")"; done)
	$(Q)rm -f $(addprefix $(dest)/,bin/collperf bin/train sbin/rdmafault)
	$(Q)rm -f $(addprefix $(dest)/share/bash-completion/completions/,$(completions))
	$(Q)rm -f $(patsubst $(O)/man/%,$(dest)/share/man/%,$(man_pages))
	$(Q)rm -f $(DESTDIR)$(TC_LIB_DIR)/q_rdmafault.so
	$(Q)rm -f $(addprefix $(DESTDIR)$(LIB_DIR)/,librdmafault-step.so.0 librdmafault-step.so)
	$(Q)rm -rf $(data) $(dest)/lib/rdmafault $(dest)/include/rdmafault
	$(Q)rmdir --ignore-fail-on-non-empty $(wildcard $(sort $(patsubst %/,%,$(dir \
		$(patsubst $(O)/man/%,$(dest)/share/man/%,$(man_pages)))) \
		$(DESTDIR)/lib/modules/*/updates $(dest)/share/bash-completion/completions)) 2>/dev/null || true
	@echo "  REMOVED rdmafault from $(or $(DESTDIR),this host)"

dist:
	$(Q)scripts/dist -o $(O)/dist

clean:
	rm -rf $(addprefix $(O)/,kmod tools pic sane fuzz bin lib tc man unit selftests html html-doctrees dist)

.PHONY: all module tools selftest-tools unit golden fuzz man htmldocs dist clean
.PHONY: install install-tools install-module install-dkms-source install-dkms uninstall
