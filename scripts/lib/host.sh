# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Programs that the host needs. On Debian and Ubuntu they are installed; on other
# systems only the command that installs them is printed.

host_commands=(
	qemu-system-x86_64:qemu-system-x86
	mmdebstrap:mmdebstrap
	unshare:util-linux
	flock:util-linux
	timeout:coreutils
	xz:xz-utils
)

host_lacks() {
	local entry

	for entry in "${host_commands[@]}" "$@"; do
		command -v "${entry%%:*}" >/dev/null || echo "${entry##*:}"
	done
	[ -e /usr/share/keyrings/debian-archive-keyring.gpg ] || echo debian-archive-keyring
}

host_advice() {
	local id=

	# shellcheck source=/dev/null
	[ ! -r /etc/os-release ] || id=$(. /etc/os-release && echo "${ID:-} ${ID_LIKE:-}")
	case " $id " in
	*" fedora "* | *" rhel "*)
		echo "dnf install qemu-system-x86-core mmdebstrap util-linux xz debian-keyring ShellCheck" ;;
	*" arch "*)
		echo "pacman -S --needed qemu-system-x86 mmdebstrap util-linux xz debian-archive-keyring shellcheck" ;;
	*" suse "* | *" opensuse "*)
		echo "zypper install qemu-x86 mmdebstrap util-linux xz debian-archive-keyring ShellCheck" ;;
	*)
		echo "(your package manager) install $*" ;;
	esac
}

# host_setup [COMMAND:PACKAGE...]: install the packages that the host lacks: those that all
# scripts need, and each PACKAGE whose COMMAND is missing
host_setup() {
	local lacks

	mapfile -t lacks < <(host_lacks "$@" | sort -u)
	[ ${#lacks[@]} -gt 0 ] || return 0
	[ -e /etc/debian_version ] ||
		die "missing on this host: ${lacks[*]}; install them with: $(host_advice "${lacks[@]}")"
	say "installing ${lacks[*]} on this host (may take a minute)"
	host_install "${lacks[@]}" >"$build/host.log" 2>&1 ||
		die "apt-get could not install ${lacks[*]}; see ${build#"$top"/}/host.log"
}

host_install() (
	export DEBIAN_FRONTEND=noninteractive
	apt=(apt-get -y --no-install-recommends install "$@")

	# If the installation fails, update the package lists, which may be missing or old,
	# and try again.
	with_lock -x "$build/host.lock"	# jobs of the pool can install at the same time
	"${apt[@]}" </dev/null || { apt-get update && "${apt[@]}" </dev/null; }
)
