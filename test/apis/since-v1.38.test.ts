import { describe, expect, it } from 'vitest';
import { write } from '../support/written-object.js';

const minors = ['v1.37', 'v1.38'] as const;

/** Returns the messages of v1.37 and v1.38; undefined where the write is accepted. */
async function messages(written: Parameters<typeof write>[0]): Promise<(string | undefined)[]> {
  const answers = await Promise.all(minors.map(kubernetesVersion => write({ ...written, kubernetesVersion })));
  return answers.map(({ message }) => message);
}

describe('since v1.38', () => {
  it('declared rules of a claim are refused in the same words', async () => {
    const devices = {
      requests: [{ name: 'A_b', exactly: { deviceClassName: 'X_y', allocationMode: 'Some' } }],
      config: [{ requests: ['a', 'a'] }],
    };
    const object = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata: { name: 'x' }, spec: { devices } };
    const [before, after] = await messages({ path: '/apis/resource.k8s.io/v1/namespaces/n/resourceclaims', object });
    expect(after).toContain(
      'spec.devices.requests[0].exactly.allocationMode: Unsupported value: "Some": supported values: "All", "ExactCount"',
    );
    expect(after).toContain('spec.devices.config[0].requests[1]: Duplicate value: "a"');
    expect(after).toBe(before);
  });
});
