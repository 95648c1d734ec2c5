import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiServers } from '../../../src/cli/work/api-servers/api-servers.js';
import { defaultedText } from '../../../src/cli/work/lint/defaulted-text.js';
import { createAlone } from '../../../src/cli/work/refusals/refusals.js';
import { manifestsIn } from '../../../src/client/manifests/manifests.js';
import { lintExample } from '../../support/lint-example.js';

const server = apiServers({ minor: 'v1.37' });
const fileOf = (text: string) => ({ source: 'a.yaml', bytes: Buffer.from(text) });
const defaulted = (text: string) => defaultedText(server, fileOf(text));

const configuration = `# of the guard
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: guard
webhooks:
- name: guard.example.com # the only one
  clientConfig:
    service: {name: guard, namespace: shop}
  rules:
  - apiGroups: [""]
    apiVersions: ['v1']
    operations: ["CREATE"]
    # not pods/exec
    resources: ["pods"]
  sideEffects: None
  admissionReviewVersions: ["v1"]
`;

describe('files with defaults', () => {
  it('keep comments, order and quotes, and get what the API server adds', async () => {
    expect(await defaulted(configuration)).toBe(
      `${configuration
        .replace('namespace: shop}', 'namespace: shop, port: 443}')
        .replace('    resources: ["pods"]\n', '    resources: ["pods"]\n    scope: "*"\n')}  failurePolicy: Fail
  matchPolicy: Equivalent
  namespaceSelector: {}
  objectSelector: {}
  timeoutSeconds: 10
`,
    );
  });

  it('keep other objects, and the documents between them', async () => {
    const service = '---\napiVersion: v1\nkind: Service\nmetadata: {name: guard} # of the pods\n';
    expect((await defaulted(configuration + service)).endsWith(service)).toBe(true);
  });

  it('are written anew where documents and objects differ: JSON, lists, aliases', async () => {
    const [manifest] = manifestsIn(fileOf(configuration)).manifests;
    const stored = (await createAlone(server, manifest?.object ?? new Map(), 'Strict')).decision.object;
    expect(stored).toBeDefined();
    const alias = configuration
      .replace('["CREATE"]', '&o ["CREATE"]')
      .replace(
        'resources: ["pods"]',
        'resources: ["pods"]\n  - {apiGroups: [""], apiVersions: [v1], operations: *o, resources: [services]}',
      );
    const list = `apiVersion: v1\nkind: List\nitems:\n- ${configuration
      .replace(/^#.*\n/, '')
      .trimEnd()
      .replaceAll('\n', '\n  ')}\n`;
    for (const text of [alias, list]) {
      const written = await defaulted(text);
      expect(written).toContain('timeoutSeconds: 10');
      expect(await defaulted(written)).toBe(written);
    }
  });

  it.each(readdirSync('fixtures/lint'))('do not change a second time: %s', async name => {
    const once = await defaulted(lintExample(path.basename(name, '.yaml')).good);
    expect(await defaulted(once)).toBe(once);
  });

  it('are refused with the message of the API server', async () => {
    await expect(defaulted(configuration.replace('sideEffects: None', 'sideEffects: Often'))).rejects.toThrow(
      'the API server refuses it: ValidatingWebhookConfiguration.admissionregistration.k8s.io "guard" is invalid: webhooks[0].sideEffects: Unsupported value: "Often"',
    );
  });
});
