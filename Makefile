# SPDX-License-Identifier: GPL-2.0
#
#   make                the module for the running kernel, the tools, the manual
#   make module KDIR=…  the module for another kernel (its build folder)
#   make tools          the programs           make man      the manual pages
#   make unit           the unit tests, run    make install  all, below DESTDIR
#   make fuzz           the fuzz targets (clang)
#   make golden         selftests/golden again, the texts that unit tests expect
#   make clean          forget the above
#
# Everything is made below O (build/). V=1 shows the commands.

VERSION := 0.1
PREFIX ?= /usr
# Where the host's tc looks for plugins; its own are there
TC_LIB_DIR ?= $(firstword $(patsubst %/,%,$(dir $(wildcard \
	$(addsuffix /tc/normal.dist,/usr/lib /usr/lib/*-linux-gnu* /usr/lib64)))) $(PREFIX)/lib/tc)
O ?= build
V ?=
# To the kernel's build system O means something else.
MAKEOVERRIDES := $(filter-out O=%,$(MAKEOVERRIDES))
Q := $(if $(filter 1,$(V)),,@)

KVER ?= $(shell uname -r)
KDIR ?= /lib/modules/$(KVER)/build
W ?=

all: module tools man

# The kernel's build system writes beside the sources, so each kernel gets a
# folder of its own that points to them.
farm = $(abspath $(O))/kmod/$(KVER)

module: $(KDIR)/Makefile
	@printf '  %-7s %s\n' KBUILD $(O)/kmod/$(KVER)
	$(Q)mkdir -p $(farm)
	$(Q)find $(farm) -type l -delete
	$(Q)cp -rs $(addprefix $(CURDIR)/,Kbuild kmod include) $(farm)/
	$(Q)$(MAKE) $(if $(Q),-s) -C $(KDIR) M=$(farm) $(if $(W),W=$(W)) modules

$(KDIR)/Makefile:
	@echo "make: no headers of kernel $(KVER) in $(KDIR): install linux-headers-$(KVER), or name them with KDIR=" >&2
	@exit 1

tools selftest-tools unit golden fuzz:
	$(Q)$(MAKE) --no-print-directory -f tools/Makefile $@ O=$(O) V=$(V) VERSION=$(VERSION) COUNTS=$(COUNTS)

pages := $(wildcard Documentation/man/*.[1-8])
man_pages := $(foreach p,$(pages),$(O)/man/man$(subst .,,$(suffix $(p)))/$(notdir $(p)))

man: $(man_pages)

define page
$(O)/man/man$(subst .,,$(suffix $(1)))/$(notdir $(1)): $(1)
	$$(Q)install -D -m 644 $$< $$@
endef
$(foreach p,$(pages),$(eval $(call page,$(p))))

install: all
	install -d $(addprefix $(DESTDIR)$(PREFIX)/,bin sbin share/man)
	install $(O)/bin/collperf $(O)/bin/train $(DESTDIR)$(PREFIX)/bin/
	install $(O)/bin/rdmafault $(DESTDIR)$(PREFIX)/sbin/
	install -D -m 644 $(O)/tc/q_rdmafault.so $(DESTDIR)$(TC_LIB_DIR)/q_rdmafault.so
	cp -r $(O)/man/. $(DESTDIR)$(PREFIX)/share/man/
	for f in $(wildcard tools/completion/*); do \
		install -D -m 644 $$f $(DESTDIR)$(PREFIX)/share/bash-completion/completions/$${f##*/}; \
	done
	install -D -m 644 $(farm)/rdmafault.ko \
		$(DESTDIR)/lib/modules/$(KVER)/updates/rdmafault.ko
	$(if $(DESTDIR),,depmod $(KVER))

clean:
	rm -rf $(addprefix $(O)/,kmod tools pic sane fuzz bin tc man unit selftests)

.PHONY: all module tools selftest-tools unit golden fuzz man install clean
