// Copyright (c) 2026 fieldops.openshift contributors
// GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
// SPDX-License-Identifier: GPL-3.0-or-later

package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"google.golang.org/grpc"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
)

// playedRuntime is CRI-O's image service over two lists of names in a directory, one a line: "available" are those that
// a pull finds, "held" those that are there. The latter grows with each pull; "pulls" has every attempt in its order,
// "looks" has every image that was asked for.
type playedRuntime struct {
	runtimeapi.UnimplementedImageServiceServer
	directory string
	mutex     sync.Mutex
}

func serveImages(ctx context.Context, directory string) (string, error) {
	socket := filepath.Join(directory, "crio.sock")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return "", err
	}
	server := grpc.NewServer()
	runtimeapi.RegisterImageServiceServer(server, &playedRuntime{directory: directory})
	go func() { _ = server.Serve(listener) }()
	context.AfterFunc(ctx, server.Stop)
	return socket, nil
}

func (r *playedRuntime) ImageStatus(
	_ context.Context, request *runtimeapi.ImageStatusRequest,
) (*runtimeapi.ImageStatusResponse, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	name := request.GetImage().GetImage()
	if err := r.add("looks", name); err != nil {
		return nil, err
	}
	if !r.lists("held", name) {
		return &runtimeapi.ImageStatusResponse{}, nil
	}
	return &runtimeapi.ImageStatusResponse{Image: &runtimeapi.Image{Id: name}}, nil
}

func (r *playedRuntime) PullImage(
	_ context.Context, request *runtimeapi.PullImageRequest,
) (*runtimeapi.PullImageResponse, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	name := request.GetImage().GetImage()
	if err := r.add("pulls", name); err != nil {
		return nil, err
	}
	if !r.lists("available", name) {
		return nil, fmt.Errorf("reading manifest of %s: manifest unknown", name)
	}
	return &runtimeapi.PullImageResponse{ImageRef: name}, r.add("held", name)
}

func (r *playedRuntime) lists(file, name string) bool {
	content, err := os.Open(filepath.Join(r.directory, file))
	if err != nil {
		return false
	}
	defer content.Close()
	names := []string{}
	for lines := bufio.NewScanner(content); lines.Scan(); {
		names = append(names, lines.Text())
	}
	return slices.Contains(names, name)
}

func (r *playedRuntime) add(file, name string) error {
	content, err := os.OpenFile(filepath.Join(r.directory, file), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer content.Close()
	_, err = fmt.Fprintln(content, name)
	return err
}
