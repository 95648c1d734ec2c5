import { expect, it } from 'vitest';
import { startControlPlane, writeMaterials } from './support/control-plane.js';

it('names --strict-transport-security-directives in every reply, and starts with its own version as --emulated-version', async () => {
  const materials = writeMaterials();
  const flags = ['--strict-transport-security-directives=max-age=1,includeSubDomains', '--emulated-version=kube=1.36'];
  const server = await startControlPlane(materials, [...flags, '--authorization-mode=AlwaysAllow']);
  const paths = ['/healthz', '/api/v1/pods', '/nope', '/api/v1/namespaces?watch=1&timeoutSeconds=1', '/api/v1/pods?timeout=x', '/metrics'];
  for (const path of paths) {
    const { headers } = await server.call('GET', path);
    expect([path, headers['strict-transport-security']]).toEqual([path, 'max-age=1; includeSubDomains']);
  }
  expect(server.stderr()).toContain('note: --emulated-version has no effect in the API server of webhook-cli\n');
  await server.stop();
  materials.remove();
});
