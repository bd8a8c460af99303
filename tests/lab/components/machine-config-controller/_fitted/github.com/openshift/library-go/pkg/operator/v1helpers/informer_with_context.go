// Copyright (c) 2026 fieldops.openshift contributors
// GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
// SPDX-License-Identifier: GPL-3.0-or-later

package v1helpers

import (
	"context"

	"k8s.io/client-go/tools/cache"
)

// What client-go has asked of an informer since; this one only serves tests of library-go's users.

// AddEventHandlerWithOptions does without the options.
func (i *fakeSharedIndexInformer) AddEventHandlerWithOptions(
	handler cache.ResourceEventHandler, _ cache.HandlerOptions,
) (cache.ResourceEventHandlerRegistration, error) {
	return i.AddEventHandler(handler)
}

// RunWithContext runs until the context ends.
func (i *fakeSharedIndexInformer) RunWithContext(ctx context.Context) { i.Run(ctx.Done()) }

// SetWatchErrorHandlerWithContext does without the context.
func (i *fakeSharedIndexInformer) SetWatchErrorHandlerWithContext(handler cache.WatchErrorHandlerWithContext) error {
	return i.SetWatchErrorHandler(func(r *cache.Reflector, err error) { handler(context.Background(), r, err) })
}
