import { expect, it } from 'vitest';
import { startControlPlane, writeMaterials } from './support/control-plane.js';

it('names --strict-transport-security-directives in every reply, and starts with its own version as --emulated-version', async () => {
  const materials = writeMaterials({ 'tokens.csv': 'secret-1,alice,uid-1,system:masters\n' });
  const flags = ['--strict-transport-security-directives=max-age=1,includeSubDomains', '--emulated-version=kube=1.36'];
  const server = await startControlPlane(materials, [...flags, '--token-auth-file=tokens.csv']);
  const expected = {
    '/healthz': 200,
    '/api/v1/pods': 200,
    '/nope': 404,
    '/api/v1/namespaces?watch=1&timeoutSeconds=1': 200,
    '/api/v1/pods?timeout=x': 400,
    '/metrics': 200,
  };
  for (const [path, status] of Object.entries(expected)) {
    const answer = await server.call('GET', path, { headers: { Authorization: 'Bearer secret-1' } });
    expect([path, answer.status, answer.headers['strict-transport-security']]).toEqual([path, status, 'max-age=1; includeSubDomains']);
  }
  expect(server.stderr()).toContain('note: --emulated-version has no effect in the API server of webhook-cli\n');
  await server.stop();
  materials.remove();
});
