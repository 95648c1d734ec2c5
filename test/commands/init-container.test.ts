import { describe, expect, it } from 'vitest';
import { configuration, initialized, masked } from './support/initialized.js';

const main = `package main

import (
	"net/http"

	"github.com/spf13/cobra"
)

var cert, key string

func main() {
	serve := &cobra.Command{Use: "webhook", Run: func(*cobra.Command, []string) { http.ListenAndServeTLS(address, cert, key, nil) }}
	serve.Flags().StringVar(&cert, "tls-crt", "", "the certificate")
	serve.Flags().StringVar(&key, "tls-key", "", "the key")
}
`;

const manifests = `${configuration}---
apiVersion: v1
kind: Service
metadata: {name: guard, namespace: shop}
spec:
  selector: {app: guard}
  ports: [{port: 443, targetPort: https}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: guard, namespace: shop}
spec:
  selector: {matchLabels: {app: guard}}
  template:
    metadata: {labels: {app: guard}}
    spec:
      containers:
      - name: guard
        image: guard:1
        args: [webhook, --verbose]
        ports: [{name: https, containerPort: 8444}]
`;

describe('init with the container of the webhook', { timeout: 60_000 }, () => {
  const files = { 'go.mod': 'module example.com/guard\n\ngo 1.24\n', 'main.go': main };

  it('starts the program with its subcommand, at the port of the container', async () => {
    const { stdout, text, remove } = await initialized({ ...files, 'deploy/all.yaml': manifests });
    const suite = masked(text('webhook-tests/first.webhook-test.yaml'));
    remove();
    expect(stdout).not.toContain('missing:');
    expect(suite).toContain('command: "go run . webhook --tls-crt=<CERTS>/tls.crt --tls-key=<CERTS>/tls.key"');
    expect(suite).toContain('services: {shop/guard: "https://127.0.0.1:8444"}');
  });

  it('turns off the election of a leader that is on by default', async () => {
    const flags = main.replace('serve.Flags()', 'serve.Flags().BoolVar(&lead, "leader-elect", true, "elect")\n\tserve.Flags()');
    const on = await initialized({ ...files, 'main.go': flags, 'deploy/all.yaml': manifests });
    const off = await initialized({ ...files, 'main.go': flags.replace(', true,', ', false,'), 'deploy/all.yaml': manifests });
    const commands = [on, off].map(({ text }) => text('webhook-tests/first.webhook-test.yaml').includes('--leader-elect=false'));
    on.remove();
    off.remove();
    expect(commands).toEqual([true, false]);
  });

  it('takes no words of a template, and none after a flag', async () => {
    const args = ['[--verbose, webhook]', '["$(rm -rf /)", webhook]', '["a;b"]'];
    for (const given of args) {
      const hostile = manifests.replace('[webhook, --verbose]', given);
      const { text, remove } = await initialized({ ...files, 'deploy/all.yaml': hostile });
      const suite = text('webhook-tests/first.webhook-test.yaml');
      remove();
      expect(suite).toContain('"go run . --tls-crt=');
    }
  });

  it('names the kinds of which a manifest is missing', async () => {
    const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: bundles.shop.example.com}
spec:
  group: shop.example.com
  scope: Namespaced
  names: {plural: bundles, singular: bundle, kind: Bundle, listKind: BundleList}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
`;
    const configured = manifests.replace('apiGroups: [""]', 'apiGroups: [shop.example.com]').replace('[pods]', '[bundles]');
    const { stdout, remove } = await initialized({ ...files, 'deploy/all.yaml': configured, 'crd.yaml': definition });
    remove();
    expect(stdout).toContain(
      'missing: a manifest of Bundle (shop.example.com/v1), for which a webhook is called: add one, and run init again\n',
    );
  });
});
