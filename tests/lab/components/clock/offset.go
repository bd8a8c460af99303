// Copyright (c) 2026 fieldops.openshift contributors
// GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
// SPDX-License-Identifier: GPL-3.0-or-later

// Package time: this file joins Go's own package of that name in programs of the lab (go build -overlay), whose Now
// then lets it move the wall clock. The monotonic clock stays as it is: waits and timeouts are not disturbed.
package time

import (
	"sync/atomic"
	"syscall"
	"unsafe"
)

// labOffset is what the wall clock is ahead of the machine's, in nanoseconds; nil in a program that no lab started.
var labOffset = mapLabOffset()

func mapLabOffset() *atomic.Int64 {
	path, found := syscall.Getenv("FIELDOPS_LAB_CLOCK")
	if !found {
		return nil
	}
	descriptor, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		panic("cannot open the lab's clock " + path + ": " + err.Error())
	}
	defer syscall.Close(descriptor)
	page, err := syscall.Mmap(descriptor, 0, 8, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		panic("cannot map the lab's clock " + path + ": " + err.Error())
	}
	return (*atomic.Int64)(unsafe.Pointer(&page[0]))
}

// labWall returns a wall time as the lab's clock shows it.
func labWall(sec int64, nsec int32) (int64, int32) {
	if labOffset == nil {
		return sec, nsec
	}
	offset := labOffset.Load()
	sec, nanoseconds := sec+offset/1e9, int64(nsec)+offset%1e9
	switch {
	case nanoseconds < 0:
		return sec - 1, int32(nanoseconds + 1e9)
	case nanoseconds >= 1e9:
		return sec + 1, int32(nanoseconds - 1e9)
	}
	return sec, int32(nanoseconds)
}
