import { describe, expect, it } from 'vitest';

interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly warnings: readonly string[];
  readonly body: string;
}

interface Outcome {
  readonly call: { readonly method: string };
  readonly answer: Answer;
  readonly again: readonly string[];
  readonly reviews: readonly { readonly phase: string; readonly path: string; readonly headers: object; readonly body: string }[];
}

type Pattern = readonly [string, string | undefined];
type Replayed = Outcome | { readonly reason: string };

const scripts = '../../scripts/new-minor';
const { corpusChanges, changesOf } = (await import(`${scripts}/corpus-changes.js`)) as {
  corpusChanges: (outcomes: readonly Map<string, Replayed>[], left: readonly object[]) => string[];
  changesOf: (old: Outcome, now: Outcome, again: Outcome) => Map<string, string | undefined>;
};
const { shapeOf, pathShape, errorsOf } = (await import(`${scripts}/text-shape.js`)) as {
  shapeOf: (message: string) => string;
  pathShape: (steps: readonly (string | number)[]) => string;
  errorsOf: (message: string) => string[];
};
const { keyOf, pathOf, resourcesOf, storedValue } = (await import(`${scripts}/stored-values.js`)) as {
  keyOf: (object: object, resources: unknown) => string | undefined;
  pathOf: (object: object, resources: unknown) => string;
  resourcesOf: (discoveries: readonly object[], customGroups: readonly string[]) => unknown;
  storedValue: (object: object, hooks: { readonly port: number; readonly ca: string }) => Buffer;
};
const { callWithVersions, reviewsInOrder } = (await import(`${scripts}/replay.js`)) as {
  callWithVersions: (call: object, versions: Map<string, string | undefined>) => object;
  reviewsInOrder: (reviews: readonly { readonly path: string }[], cluster?: object) => { readonly path: string; readonly phase: string }[];
};
const { reasonToLeave } = (await import(`${scripts}/recorded-cases.js`)) as { reasonToLeave: (recorded: object) => string | undefined };
const { recordingOf } = (await import(`${scripts}/recordings.js`)) as {
  recordingOf: (version: string, recorded: object, now: object, again: object) => object | undefined;
};

function outcomeOf(body: object, others: Partial<Answer & { method: string; reviews: Outcome['reviews'] }> = {}): Outcome {
  const { method = 'POST', reviews = [], ...answer } = others;
  return {
    call: { method },
    answer: { status: 201, contentType: 'application/json', warnings: [], body: `${JSON.stringify(body)}\n`, ...answer },
    again: [],
    reviews,
  };
}

function refusal(...causes: Pattern[]): Outcome {
  const listed = causes.map(([field, text]) => `${field}: ${text}`).join(', ');
  const message = `Strict "w" is invalid: ${causes.length === 1 ? listed : `[${listed}]`}`;
  const details = { causes: causes.map(([field, text]) => ({ reason: 'FieldValueInvalid', field, message: text })) };
  return outcomeOf({ kind: 'Status', message, reason: 'Invalid', details }, { status: 422 });
}

function reviewOf(phase: string, object: object): Outcome['reviews'][number] {
  const body = JSON.stringify({ request: { uid: String(Math.random()), kind: { kind: 'Pod' }, object } });
  return { phase, path: `/${phase[0]}`, headers: { 'Content-Type': 'application/json' }, body };
}

describe('what a new release answers otherwise', () => {
  it('is grouped by field, without what differs between two servers of the release', () => {
    const podOf = (version: string, spec: object): Outcome => {
      const pod = { kind: 'Pod', metadata: { resourceVersion: version }, spec };
      return outcomeOf(pod, { reviews: [reviewOf('mutating', pod)] });
    };
    const [old, now, again] = [podOf('7', { a: [1], b: 'x' }), podOf('8', { a: [1], c: true }), podOf('75', { a: [1], c: true })];
    expect([...changesOf(old, now, again)]).toEqual([
      ['Pod.spec.c new', ' -> true'],
      ['Pod.spec.b gone', '"x" -> '],
    ]);
  });

  it('names a member that every answer of the new release has, though its value is random', () => {
    const statusOf = (metadata: object): Outcome => outcomeOf({ kind: 'Status', metadata, status: 'Success' }, { status: 200 });
    const changes = changesOf(statusOf({}), statusOf({ resourceVersion: '8' }), statusOf({ resourceVersion: '75' }));
    expect([...changes.keys()]).toEqual(['Status.metadata.resourceVersion new']);
  });

  it('shows the error that a field has instead of another', () => {
    const same: Pattern = ['spec.a', 'Required value'];
    const old = refusal(same, ['spec.list[3]', 'Invalid value: 0: should have at least 1 items']);
    const now = refusal(same, ['spec.list[3]', 'Too few: 0: must have at least 1 item']);
    expect([...changesOf(old, now, now).keys()]).toEqual([
      'error spec.list[]: FieldValueInvalid: Invalid value: N: should have at least N items -> spec.list[]: FieldValueInvalid: Too few: N: must have at least N item',
    ]);
  });

  it('shows another status with its message, and other reviews with their phases', () => {
    const accepted = outcomeOf({ kind: 'Pod' }, { reviews: [reviewOf('mutating', {}), reviewOf('validating', {})] });
    expect([...changesOf(refusal(['spec.n', 'must be an integer']), accepted, accepted)]).toEqual([
      [
        'status 422 Invalid -> 201: Strict "..." is invalid: spec.n: must be an integer',
        'Strict "w" is invalid: spec.n: must be an integer',
      ],
    ]);
    expect([...changesOf(accepted, outcomeOf({ kind: 'Pod' }), outcomeOf({ kind: 'Pod' })).keys()]).toEqual(['reviews m:m v:v -> none']);
  });

  it('shows another order of members and of errors, but not an order that changes each time', () => {
    const [one, other] = [outcomeOf({ kind: 'Pod', a: 1, b: 2 }), outcomeOf({ kind: 'Pod', b: 2, a: 1 })];
    expect([...changesOf(one, other, other).keys()]).toEqual(['Pod in another order']);
    const [first, second]: Pattern[] = [
      ['spec.a', 'Required value'],
      ['spec.b', 'Required value'],
    ];
    const [ordered, turned] = [refusal(first as Pattern, second as Pattern), refusal(second as Pattern, first as Pattern)];
    expect([...changesOf(ordered, turned, turned).keys()]).toEqual(['order of errors']);
    expect([...changesOf({ ...ordered, again: [turned.answer.body] }, turned, turned).keys()]).toEqual([]);
  });

  it('is counted, with an example for each group and a reason for what was left out', () => {
    const [old, now] = [outcomeOf({ kind: 'Pod' }), outcomeOf({ kind: 'Pod', n: 1 })];
    const before = new Map<string, Replayed>([
      ['a', old],
      ['b', old],
      ['c', old],
      ['d', old],
    ]);
    const after = new Map<string, Replayed>([
      ['a', now],
      ['b', now],
      ['c', old],
      ['d', { reason: 'v1 Thing is not served' }],
    ]);
    const left = [{ id: 'e', reason: 'v1 Thing is not served' }];
    expect(corpusChanges([before, after, after], left)).toEqual([
      '3 replayed, 2 answered otherwise, 2 left out',
      'answered otherwise: 1 groups',
      '  2 Pod.n new',
      '      a:  -> 1',
      'left out: 1 groups',
      '  2 v1 Thing is not served',
      '      e',
    ]);
  });

  it('is not what races with the cache of the server', () => {
    const deleted = (rounds: number): Outcome => {
      const reviews = Array.from({ length: rounds }, () => [reviewOf('mutating', {}), reviewOf('validating', {})]).flat();
      return outcomeOf({ kind: 'Status' }, { method: 'DELETE', reviews });
    };
    const lines = corpusChanges([new Map([['a', deleted(2)]]), new Map([['a', deleted(3)]]), new Map([['a', deleted(3)]])], []);
    expect(lines).toContain('  1 a removal is reviewed again when the cache of the server lags behind');
    expect(lines[0]).toBe('0 replayed, 0 answered otherwise, 1 left out');
  });

  it('has shapes of texts and paths', () => {
    expect(
      shapeOf('pods "a" uid 0e296c79-0553-43c2-ba69-65d3184c76c0 at 2026-11-21T02:55:33Z: spec.c[0].x[memory]: 12 of {"a":1}\nmore'),
    ).toBe('pods "..." uid UID at TIME: spec.c[].x[]: N of {...}');
    expect(pathShape(['spec', 'containers', 0, 'name'])).toBe('.spec.containers[].name');
    expect(pathShape(['fieldsV1', 'k:{"name":"a"}', '.'])).toBe('.fieldsV1.k:.....');
    expect(errorsOf('Pod "a" is invalid: [spec.a: Required value, spec.b: Invalid value: "x, y: z"]')).toEqual([
      'Pod "a" is invalid: spec.a: Required value',
      'Pod "a" is invalid: spec.b: Invalid value: "x',
      'Pod "a" is invalid: y: z"',
    ]);
  });
});

describe('a recorded call on another server', () => {
  const discoveries = [
    {
      items: [
        { metadata: {}, versions: [{ version: 'v1', resources: [served('services', 'Service'), served('nodes', 'Node', 'Cluster')] }] },
      ],
    },
    {
      items: [
        { metadata: { name: 'apps' }, versions: [{ version: 'v1', resources: [served('deployments', 'Deployment')] }] },
        { metadata: { name: 'shop.example.com' }, versions: [{ version: 'v1', resources: [served('widgets', 'Widget')] }] },
      ],
    },
  ];
  const resources = resourcesOf(discoveries, ['shop.example.com']);

  function served(resource: string, kind: string, scope = 'Namespaced'): object {
    return { resource, scope, responseKind: { kind } };
  }

  it('has its objects where the API server stores them', () => {
    const objectOf = (apiVersion: string, kind: string): object => ({ apiVersion, kind, metadata: { name: 'a', namespace: 'team' } });
    expect(keyOf(objectOf('v1', 'Service'), resources)).toBe('/registry/services/specs/team/a');
    expect(keyOf(objectOf('v1', 'Node'), resources)).toBe('/registry/minions/a');
    expect(keyOf(objectOf('apps/v1', 'Deployment'), resources)).toBe('/registry/deployments/team/a');
    expect(keyOf(objectOf('shop.example.com/v2', 'Widget'), resources)).toBe('/registry/shop.example.com/widgets/team/a');
    expect(keyOf(objectOf('apps/v1', 'Thing'), resources)).toBeUndefined();
    expect(pathOf(objectOf('v1', 'Node'), resources)).toBe('/api/v1/nodes/a');
    expect(pathOf(objectOf('apps/v1', 'Deployment'), resources)).toBe('/apis/apps/v1/namespaces/team/deployments/a');
  });

  it('has webhooks that point at the server of the replay, and no recorded version', () => {
    const configuration = {
      ...{ kind: 'MutatingWebhookConfiguration', metadata: { name: 'm', uid: 'u', resourceVersion: '7' } },
      webhooks: [{ clientConfig: { url: 'https://127.0.0.1:8443/m?x=1', caBundle: 'Q0E=' } }],
    };
    expect(JSON.parse(storedValue(configuration, { port: 5, ca: 'YQ==' }).toString())).toEqual({
      ...{ kind: 'MutatingWebhookConfiguration', metadata: { name: 'm', uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z' } },
      webhooks: [{ clientConfig: { url: 'https://127.0.0.1:5/m?x=1', caBundle: 'YQ==' } }],
    });
  });

  it('names the versions that its objects have there', () => {
    const call = { path: '/x?resourceVersion=7', body: '{"resourceVersion": "7", "data": "7", "other": {"resourceVersion":"8"}}' };
    expect(callWithVersions(call, new Map([['7', '99']]))).toEqual({
      ...{ path: '/x?resourceVersion=99', body: '{"resourceVersion": "99", "data": "7", "other": {"resourceVersion":"8"}}' },
    });
  });

  it('keeps the order of reviews, but for webhooks that are called at the same time', () => {
    const mutating = [{ webhooks: [{ clientConfig: { url: 'https://127.0.0.1:8443/m' } }] }];
    const paths = ['/m', '/w', '/v', '/m', '/v', '/w'];
    const ordered = reviewsInOrder(
      paths.map(path => ({ path })),
      { mutating },
    );
    expect(ordered.map(({ phase, path }) => `${phase[0]}${path}`)).toEqual(['m/m', 'v/v', 'v/w', 'm/m', 'v/v', 'v/w']);
  });

  it('is left out, with the reason, when it cannot be set up', () => {
    const recorded = { call: {}, answer: { body: '' } };
    expect(reasonToLeave(recorded)).toBeUndefined();
    expect(reasonToLeave({ expression: 'a' })).toBe('the form of the recording has no call or no body of an answer');
    expect(reasonToLeave({ ...recorded, webhook: {} })).toBe('its webhooks answer by scripts');
    expect(reasonToLeave({ ...recorded, definitions: [undefined] })).toBe('its definition is missing');
  });

  it('is recorded with pointers to what is random, but not to what comes from its inputs', () => {
    const outcome = (version: string, uid: string): object => ({
      ...{ call: { method: 'PUT', body: '{}' }, objects: [], again: [] },
      stored: { metadata: { resourceVersion: version } },
      answer: { status: 200, body: JSON.stringify({ metadata: { uid, resourceVersion: version } }) },
      reviews: [
        {
          phase: 'mutating',
          path: '/m',
          body: JSON.stringify({ request: { uid, oldObject: { metadata: { resourceVersion: version } } } }),
        },
      ],
    });
    const recorded = {
      name: 'a',
      id: 'x: a',
      place: 'x/a.json',
      flags: [],
      definitions: [],
      apiserver: { version: 'v1.0.0' },
      cluster: {},
      after: null,
    };
    expect(recordingOf('v1.1.0', recorded, outcome('8', 'u'), outcome('75', 'w'))).toMatchObject({
      ...{ name: 'a', apiserver: { version: 'v1.1.0', flags: [] }, volatile: ['/request/uid'], answerVolatile: ['/metadata/uid'] },
      stored: { metadata: { resourceVersion: '8' } },
    });
    expect(recordingOf('v1.1.0', recorded, { reason: 'x' }, outcome('75', 'w'))).toBeUndefined();
  });
});
