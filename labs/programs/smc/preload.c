// SPDX-License-Identifier: GPL-2.0
/* Give a program SMC sockets instead of TCP sockets. It is preloaded. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netinet/in.h>
#include <sys/socket.h>

int socket(int domain, int type, int protocol)
{
	int (*real)(int family, int kind, int number);
	int stream = (type & 0xf) == SOCK_STREAM && (!protocol || protocol == IPPROTO_TCP);

	real = (typeof(real))dlsym(RTLD_NEXT, "socket");
	return domain == AF_INET && stream ? real(AF_SMC, type, 0) : real(domain, type, protocol);
}
