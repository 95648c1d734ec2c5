import { expect, it } from 'vitest';
import type { Answer } from '../../../src/apiserver/report/report.js';
import { answerIn, messageOf } from './call-in-state.js';

const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const spec = { selector: { matchLabels: { a: 'b' } }, template };
const metadata = { name: 'a', namespace: 'n', uid: 'u', resourceVersion: '1' };
const annotations = { DaemonSet: 'deprecated.daemonset.template.generation', Deployment: 'deprecated.deployment.rollback.to' };

/** Returns the answer to a patch that sets the annotation which the internal type has as a number. */
function annotated(kind: 'DaemonSet' | 'Deployment', contentType: string, value: string): Promise<Answer> {
  const change = { [annotations[kind]]: value };
  const body = contentType.includes('json-patch')
    ? [{ op: 'add', path: '/metadata/annotations', value: change }]
    : { apiVersion: 'apps/v1', kind, metadata: { annotations: change } };
  const path = `/apis/apps/v1/namespaces/n/${kind.toLowerCase()}s/a${contentType.includes('apply') ? '?fieldManager=m' : ''}`;
  return answerIn([{ apiVersion: 'apps/v1', kind, metadata, spec }], {
    method: 'PATCH',
    path,
    contentType,
    body: Buffer.from(JSON.stringify(body)),
  });
}

const syntax = 'strconv.ParseInt: parsing "x": invalid syntax';
const rollback = `failed to parse annotation[deprecated.deployment.rollback.to]=x as int64: ${syntax}`;

it.each([
  ['DaemonSet', 'application/merge-patch+json', syntax],
  ['DaemonSet', 'application/json-patch+json', syntax],
  ['Deployment', 'application/merge-patch+json', rollback],
] as const)('shows the %s that a %s makes if the internal type cannot hold it', async (kind, contentType, reason) => {
  const answer = await annotated(kind, contentType, 'x');
  expect(answer.status).toBe(422);
  expect(messageOf(answer)).toMatch(/^ "" is invalid: patch: Invalid value: "\{\\"apiVersion\\":\\"apps\/v1\\"/);
  expect(messageOf(answer)?.endsWith(`}": ${reason}`)).toBe(true);
});

it('answers a strategic merge patch with the error of the conversion', async () => {
  const answer = await annotated('DaemonSet', 'application/strategic-merge-patch+json', 'x');
  expect([answer.status, messageOf(answer)]).toEqual([500, syntax]);
});

it('names the applied object of which the conversion fails', async () => {
  const answer = await annotated('Deployment', 'application/apply-patch+yaml', 'x');
  const message = `failed to convert to unversioned (/; apps/v1, Kind=Deployment): ${rollback}`;
  expect([answer.status, messageOf(answer)]).toEqual([500, message]);
});
