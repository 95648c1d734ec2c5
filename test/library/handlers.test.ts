import { describe, expect, it } from 'vitest';
import { allowed, defaulter, denied, patched, review, validator, webhook } from '../../src/library/entry.js';

const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { containers: [{ name: 'web', image: 'web:1' }] } };

describe('review with a handler', () => {
  it('shows what a defaulter makes of an object', async () => {
    const handler = defaulter({
      for: 'v1/Pod',
      default(object) {
        object.metadata.labels = { team: 'none' };
      },
    });
    const { decision } = await review({ manifest: pod, handler, phase: 'mutating' });
    expect(decision.allowed).toBe(true);
    expect(decision.object.metadata.labels).toEqual({ team: 'none' });
  });

  it('denies requests for which a validator throws', async () => {
    const handler = validator({
      for: 'v1/Pod',
      validateCreate() {
        throw new Error('not today');
      },
    });
    const { decision } = await review({ manifest: pod, handler, phase: 'validating' });
    expect(decision.status).toMatchObject({ code: 403, message: expect.stringContaining('denied the request: not today') });
  });

  it('gives the request of the API call to a plain handler', async () => {
    const seen: string[] = [];
    await review({
      manifest: pod,
      phase: 'validating',
      handler(request) {
        seen.push(`${request.operation} ${request.resource.resource} ${request.name} ${request.object.spec.containers[0].image}`);
        return allowed();
      },
    });
    expect(seen).toEqual(['CREATE pods web web:1']);
  });

  it('reports a patch that does not apply', async () => {
    const handler = () => patched('', { op: 'remove', path: '/spec/nothing' });
    const { webhooks } = await review({ manifest: pod, handler, phase: 'mutating' });
    expect(webhooks[0]?.failure?.class).toBe('patch');
  });

  it('shows a panic that is not recovered as a connection that ends', async () => {
    const handler = webhook(
      () => {
        throw new Error('broken');
      },
      { recoverPanic: false },
    );
    const { webhooks } = await review({ manifest: pod, handler, phase: 'validating' });
    expect(webhooks[0]?.failure?.message).toContain('EOF');
  });

  it('excludes an address', async () => {
    await expect(review({ manifest: pod, handler: () => denied(), url: 'https://127.0.0.1:1/' })).rejects.toThrow(
      'the option handler cannot be used with url or demo',
    );
  });

  it('rejects values that are not handlers', async () => {
    await expect(review({ manifest: pod, handler: {} as never })).rejects.toThrow('invalid option handler');
  });
});
