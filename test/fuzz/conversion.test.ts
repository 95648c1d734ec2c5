import { describe, expect, it } from 'vitest';
import { isMap, toValue } from '../../src/go/value.js';
import { type Custom, searchedConversions } from './searched.js';

function version(name: string): object {
  const note = name === 'v1' ? { note: { type: 'string' } } : {};
  const properties = { spec: { type: 'object', properties: { ...note, size: { type: 'integer' } } } };
  return { name, served: true, storage: name === 'v1', schema: { openAPIV3Schema: { type: 'object', properties } } };
}

const definition = toValue({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'boxes.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'boxes', singular: 'box', kind: 'Box', listKind: 'BoxList' },
    versions: [version('v1'), version('v2')],
    conversion: {
      strategy: 'Webhook',
      webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://127.0.0.1:1/' } },
    },
  },
});
if (!isMap(definition)) throw new Error('a definition is an object');
const boxes = definition;

/** Removes the note in v2. */
function lossy({ spec = {}, ...object }: Custom, to: string): Custom {
  const { note: _, ...others } = spec;
  return { ...object, spec: to.endsWith('v2') ? others : spec };
}

/** Keeps the note of v1 in an annotation of v2. */
function careful({ spec, metadata, ...object }: Custom, to: string): Custom {
  const { kept, ...annotations } = metadata.annotations ?? {};
  if (to.endsWith('v2') && spec?.['note'] !== undefined) {
    const { note, ...others } = spec;
    return { ...object, metadata: { ...metadata, annotations: { ...annotations, kept: JSON.stringify(note) } }, spec: others };
  }
  if (to.endsWith('v1') && kept !== undefined && spec !== undefined) {
    const own = Object.keys(annotations).length === 0 ? {} : { annotations };
    const { annotations: _, ...others } = metadata;
    return { ...object, metadata: { ...others, ...own }, spec: { ...spec, note: JSON.parse(kept) } };
  }
  return { ...object, metadata, ...(spec === undefined ? {} : { spec }) };
}

/** A webhook for one version, also for objects that clients write in another one. */
const ofFirstVersion = toValue({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingWebhookConfiguration',
  metadata: { name: 'notes' },
  webhooks: [
    {
      ...{ name: 'notes.example.com', sideEffects: 'None', admissionReviewVersions: ['v1'] },
      clientConfig: { url: 'https://127.0.0.1:1/' },
      rules: [{ apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['boxes'], operations: ['CREATE'] }],
    },
  ],
});

describe('the check conversion of fuzz', { timeout: 60_000 }, () => {
  it('finds a field that a round trip loses, and reduces the object to it', async () => {
    const findings = await searchedConversions(boxes, lossy);
    expect(findings.map(({ check, webhook }) => [check, webhook])).toContainEqual(['conversion', 'boxes.example.com']);
    expect(findings.map(({ message }) => message).join('\n')).toMatch(/v1 -> v2 -> v1: .*spec\.note/);
  });

  it('finds nothing where an annotation keeps the field', async () => {
    expect((await searchedConversions(boxes, careful)).map(({ message }) => message)).toEqual([]);
  });

  it('does not take a field that another version has not for one that is lost', async () => {
    const others = isMap(ofFirstVersion) ? [ofFirstVersion] : [];
    const patch = [{ op: 'add', path: '/spec', value: { note: 'a', size: 1 } }];
    const findings = await searchedConversions(boxes, lossy, { others, patch, checks: ['lost-field'] });
    expect(findings.map(({ message }) => message)).toEqual([]);
  });
});
