import { expect, it } from 'vitest';
import { hidingSecrets } from '../../src/cli/commands/replay/hiding-secrets.js';
import { eventsInLine, type LoggedEvent } from '../../src/replay/logged-event.js';

/** The creation of a ConfigMap with a password. */
function created(name: string, password: string): LoggedEvent {
  const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name, namespace: 'shop' }, data: { password } };
  const event = {
    ...{ kind: 'Event', apiVersion: 'audit.k8s.io/v1', level: 'Request', stage: 'ResponseComplete', auditID: name, verb: 'create' },
    ...{ requestURI: '/api/v1/namespaces/shop/configmaps', user: { username: 'alice' }, responseStatus: { code: 201 } },
    objectRef: { resource: 'configmaps', namespace: 'shop', name, apiVersion: 'v1' },
    requestObject: object,
  };
  const reading = eventsInLine(JSON.stringify(event), { source: 'a.log', line: 1 });
  if (reading.outcome !== 'events' || reading.events[0] === undefined) throw new Error('no event');
  return reading.events[0];
}

it('hides what is a secret of one call only, also in a text like that of another', () => {
  const hidingSecretsOf = hidingSecrets();
  const [first, second] = [created('web-1', 'fleur-de-sel'), created('web-2', 'open-the-door')];
  const refused = (name: string, value: string): string => `configmaps "${name}" is forbidden: ${value} is not allowed`;
  expect(hidingSecretsOf(first)(refused('web-1', 'open-the-door'))).toBe(refused('web-1', 'open-the-door'));
  expect(hidingSecretsOf(first)(refused('web-1', 'fleur-de-sel'))).toMatch(/forbidden: <redacted sha256:[0-9a-f]{8}> is/);
  expect(hidingSecretsOf(second)(refused('web-2', 'fleur-de-sel'))).toBe(refused('web-2', 'fleur-de-sel'));
  expect(hidingSecretsOf(second)(refused('web-2', 'nothing'))).toBe(refused('web-2', 'nothing'));
});
