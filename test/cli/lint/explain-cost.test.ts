import { describe, expect, it } from 'vitest';
import { apiServers } from '../../../src/cli/work/api-servers/api-servers.js';
import { explainCosts } from '../../../src/cli/work/lint/cost/explain-cost.js';
import { findCausesOfRefusal } from '../../../src/cli/work/refusals/refusals.js';
import type { ValueMap } from '../../../src/go/value.js';
import { mapOf } from '../../support/map-of.js';

const server = apiServers({ minor: 'v1.36' });

function definition(spec: object): ValueMap {
  const schema = { type: 'object', properties: { spec } };
  return mapOf({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'a.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: 'a', singular: 'a', kind: 'A' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  });
}

const explained = (spec: object) => explainCosts(server, { name: 'a.example.com', place: { object: definition(spec), pointer: '' } });
const isTooExpensive = async (spec: object) =>
  (await findCausesOfRefusal(server, definition(spec))).some(({ finding }) => finding.message.includes('exceeds budget'));

const tags = (limits: { items?: object; tag?: object }) => ({
  type: 'object',
  properties: {
    tags: {
      type: 'array',
      ...limits.items,
      items: { type: 'string', ...limits.tag },
      'x-kubernetes-validations': [{ rule: "self.all(tag, tag.matches('^[a-z]+$'))" }],
    },
  },
});

/** `maxItems: 12 at spec.tags` */
function numbersIn(fix: string): Record<string, number> {
  return Object.fromEntries(
    [...(fix.split(';')[0] ?? '').matchAll(/(max\w+): (\d+)/g)].map(([, name = '', value]) => [name, Number(value)]),
  );
}

describe('the explanation of costs', () => {
  it('names the sizes that drive a rule, and limits that the API server accepts', async () => {
    expect(await isTooExpensive(tags({}))).toBe(true);
    const [found] = explained(tags({}));
    expect(found?.finding.message).toContain('spec.tags (no maxItems), spec.tags[*] (no maxLength)');
    const { maxItems = 0, maxLength = 0 } = numbersIn(found?.finding.fix ?? '');
    expect(maxItems).toBeGreaterThan(100);
    expect(await isTooExpensive(tags({ items: { maxItems }, tag: { maxLength } }))).toBe(false);
    expect(await isTooExpensive(tags({ items: { maxItems: maxItems + 1 + Math.ceil(maxItems / 100) }, tag: { maxLength } }))).toBe(true);
  });

  it('names the part of an expression that costs most, and how often it is evaluated', () => {
    const list = (rule: string) => ({
      type: 'object',
      properties: {
        tags: {
          type: 'array',
          maxItems: 10_000,
          items: { type: 'string', maxLength: 2000 },
          'x-kubernetes-validations': [{ rule: `size(self) < 5 && ${rule}` }],
        },
      },
    });
    const partOf = (rule: string): string | undefined =>
      /nearly all of it for (.*?)(?:: it grows|$)/.exec(explained(list(rule))[0]?.finding.message ?? '')?.[1];
    expect(partOf("self.all(a, a.matches('^[a-z]+(-[a-z]+)*(_[a-z]+)*(,[a-z]+)*(:[a-z]+)*(;[a-z]+)*$'))")).toMatch(
      /^a\.matches\(.*\), which is evaluated up to 10000 times$/,
    );
    expect(partOf('self.all(a, self.exists_one(b, a.lowerAscii() == b))')).toBe(
      'a.lowerAscii() == b, which is evaluated up to 100000000 times',
    );
  });

  it('names no part where several cost as much', () => {
    const spec = {
      type: 'object',
      properties: {
        name: {
          type: 'string',
          'x-kubernetes-validations': [{ rule: "self.matches('^(a|b|c|d|e|f)+$') && self.matches('^(b|c|d|e|f|g)+$')" }],
        },
      },
    };
    const [found] = explained({ type: 'object', additionalProperties: spec });
    expect(found?.finding.message).toMatch(/times the limit of 10000000: it grows with/);
  });

  it('counts the values around a rule', async () => {
    const inner = (maxItems: number | undefined) => ({
      type: 'object',
      properties: {
        outer: {
          type: 'array',
          ...(maxItems === undefined ? {} : { maxItems }),
          items: {
            type: 'object',
            properties: { name: { type: 'string', maxLength: 63 } },
            'x-kubernetes-validations': [{ rule: "self.name.matches('^[a-z]+$')" }],
          },
        },
      },
    });
    const [found] = explained(inner(undefined));
    const [, alone = ''] = /(maxItems: \d+) at spec\.outer(?! and)/.exec(found?.finding.fix ?? '') ?? [];
    const { maxItems = 0 } = numbersIn(alone);
    expect(found?.finding.message).toContain('spec.outer (no maxItems)');
    expect(await isTooExpensive(inner(undefined))).toBe(true);
    expect(await isTooExpensive(inner(maxItems))).toBe(false);
  });

  it('is empty for rules within their budget', () => {
    expect(explained(tags({ items: { maxItems: 10 }, tag: { maxLength: 10 } }))).toEqual([]);
  });
});
