import { expect, it } from 'vitest';
import { startControlPlane, writeMaterials } from './support/control-plane.js';

it('ends watches without timeoutSeconds after one to two times --min-request-timeout', async () => {
  const materials = writeMaterials({ 'tokens.csv': 'secret-1,alice,uid-1,system:masters\n' });
  const server = await startControlPlane(materials, ['--token-auth-file=tokens.csv', '--min-request-timeout=1']);
  const start = performance.now();
  const { status } = await server.call('GET', '/api/v1/secrets?watch=true', { headers: { Authorization: 'Bearer secret-1' } });
  expect([status, performance.now() - start > 990]).toEqual([200, true]);
  expect(server.stderr()).not.toContain('--min-request-timeout');
  await server.stop();
  materials.remove();
});
