import { describe, expect, it } from 'vitest';
import { storedWithout } from '../../src/cli/commands/replay/make-again.js';
import { writeValue } from '../../src/go/json/write.js';
import { toValue, type ValueMap } from '../../src/go/value.js';
import { callOfLogged } from '../../src/replay/logged-call.js';
import { eventsInLine, type LoggedEvent } from '../../src/replay/logged-event.js';
import { clusterStateWith } from '../support/cluster-state.js';

const containers = (...list: readonly object[]) => ({ template: { spec: { containers: list } } });
const deployment = (...list: readonly object[]) => ({
  ...{ kind: 'Deployment', apiVersion: 'apps/v1', metadata: { name: 'web', namespace: 'shop', uid: 'u', resourceVersion: '7' } },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, ...containers(...list).template },
  },
});
const web = { name: 'web', image: 'web:1', env: [{ name: 'MODE', value: 'fast' }] };
const sidecar = { name: 'sidecar', image: 'sidecar:1' };

const patched = (requestObject: object, responseObject: object | undefined): LoggedEvent => {
  const event = {
    ...{
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      stage: 'ResponseComplete',
      auditID: 'a',
      verb: 'patch',
      user: { username: 'alice' },
    },
    requestURI: '/apis/apps/v1/namespaces/shop/deployments/web',
    objectRef: { apiGroup: 'apps', resource: 'deployments', namespace: 'shop', name: 'web' },
    ...{ responseStatus: { code: 200 }, requestObject, responseObject },
  };
  const reading = eventsInLine(JSON.stringify(event), { source: 'audit.log', line: 1 });
  const [found] = reading.outcome === 'events' ? reading.events : [];
  if (found === undefined) throw new Error('no event');
  return found;
};

const state = clusterStateWith({ objects: [toValue(deployment(web, sidecar)) as ValueMap] });
const typeOf = async (event: LoggedEvent) => {
  const call = await callOfLogged(event, state, storedWithout({ state }));
  return 'unknown' in call ? call.unknown : call.contentType;
};

const patch = { spec: containers({ name: 'web', image: 'web:2' }) };
const unknown = 'the audit event does not contain the type of the patch, on which its lists depend';

/** The answer of the API server to the patch, if it has this type; with what a webhook adds. */
async function answerOf(contentType: string): Promise<object> {
  const call = {
    ...{ method: 'PATCH', path: '/apis/apps/v1/namespaces/shop/deployments/web', contentType, user: { username: 'alice' } },
    body: Buffer.from(JSON.stringify(patch)),
  };
  const stored = await storedWithout({ state })(call, state);
  const answer = JSON.parse(writeValue(stored ?? null, 'kept'));
  return { ...answer, spec: { ...answer.spec, paused: true }, metadata: { ...answer.metadata, labels: { checked: 'yes' } } };
}

describe('the type of a logged patch', () => {
  for (const type of ['application/strategic-merge-patch+json', 'application/merge-patch+json']) {
    it(`is ${type} if that is how the object was stored`, async () => {
      expect(await typeOf(patched(patch, await answerOf(type)))).toBe(type);
    });
  }

  it('is unknown if the log shows another object, or none', async () => {
    expect(await typeOf(patched(patch, deployment(sidecar)))).toBe(unknown);
    expect(await typeOf(patched(patch, undefined))).toBe(unknown);
  });

  it('does not matter for maps, and shows in the patch of lists and applied objects', async () => {
    expect(await typeOf(patched({ spec: { replicas: 3 } }, undefined))).toBe('application/merge-patch+json');
    expect(await typeOf(patched([{ op: 'remove', path: '/spec/replicas' }], undefined))).toBe('application/json-patch+json');
  });
});
