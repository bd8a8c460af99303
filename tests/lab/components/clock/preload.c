// Copyright (c) 2026 fieldops.openshift contributors
// GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
// SPDX-License-Identifier: GPL-3.0-or-later

/* The lab's clock for dynamically linked programs (ansible-playbook, its modules, date, ssh, openssl, gpg): loaded with
 * LD_PRELOAD or /etc/ld.so.preload, it moves what they read as the wall clock by the nanoseconds that the file
 * $FIELDOPS_LAB_CLOCK holds at that moment (without the variable: /etc/lab/clock). The monotonic clock, waits given as
 * a duration, and times of files stay the machine's. Waits until a wall-clock time are translated for semaphores and
 * clock_nanosleep(2), which CPython uses; not for condition variables, where it uses the monotonic clock.
 *
 * Debian's libfaketime does the same by reading a text file again and again, and leaves a semaphore and a shared memory
 * segment in /dev/shm for every process tree.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000L

static const volatile int64_t *clock_file;

__attribute__((constructor)) static void map_clock_file(void) {
	const char *path = getenv("FIELDOPS_LAB_CLOCK");
	int saved = errno;
	int descriptor = open(path ? path : "/etc/lab/clock", O_RDONLY | O_CLOEXEC);
	if (descriptor >= 0) {
		void *page = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, descriptor, 0);
		if (page != MAP_FAILED)
			clock_file = page;
		close(descriptor);
	}
	errno = saved;
}

static int64_t offset(void) { return clock_file ? *clock_file : 0; }

static void move(struct timespec *moment, int64_t by) {
	int64_t nanoseconds = moment->tv_nsec + by % SECOND;
	moment->tv_sec += by / SECOND + (nanoseconds >= SECOND) - (nanoseconds < 0);
	moment->tv_nsec = (nanoseconds + SECOND) % SECOND;
}

static struct timespec machine_time(const struct timespec *moment) {
	struct timespec moved = *moment;
	move(&moved, -offset());
	return moved;
}

int clock_gettime(clockid_t clock, struct timespec *moment) {
	int status = syscall(SYS_clock_gettime, clock, moment);
	if (!status && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI))
		move(moment, offset());
	return status;
}

int gettimeofday(struct timeval *moment, void *zone) {
	struct timespec now;
	(void)zone;
	if (clock_gettime(CLOCK_REALTIME, &now))
		return -1;
	*moment = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
	return 0;
}

time_t time(time_t *place) {
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	if (place)
		*place = now.tv_sec;
	return now.tv_sec;
}

int timespec_get(struct timespec *moment, int base) {
	return base == TIME_UTC && !clock_gettime(CLOCK_REALTIME, moment) ? base : 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *until, struct timespec *rest) {
	int (*next)(clockid_t, int, const struct timespec *, struct timespec *) = dlsym(RTLD_NEXT, "clock_nanosleep");
	struct timespec moved = machine_time(until);
	return next(clock, flags, clock == CLOCK_REALTIME && flags & TIMER_ABSTIME ? &moved : until, rest);
}

int sem_timedwait(sem_t *semaphore, const struct timespec *until) {
	int (*next)(sem_t *, const struct timespec *) = dlsym(RTLD_NEXT, "sem_timedwait");
	struct timespec moved = machine_time(until);
	return next(semaphore, &moved);
}

int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until) {
	int (*next)(sem_t *, clockid_t, const struct timespec *) = dlsym(RTLD_NEXT, "sem_clockwait");
	struct timespec moved = machine_time(until);
	return next(semaphore, clock, clock == CLOCK_REALTIME ? &moved : until);
}
