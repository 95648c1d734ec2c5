import { expect, it } from 'vitest';
import { handleCall } from '../../../src/apiserver/handle-call.js';
import { effectsFor } from '../../../src/cli/shell/effects.js';
import { webhookOf, webhooksPatching } from '../../apiserver/webhooks/patching-webhooks.js';
import { clusterStateWith } from '../../support/cluster-state.js';
import { mapOf } from '../../support/map-of.js';

const configuration = mapOf({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingWebhookConfiguration',
  metadata: { name: 'w' },
  webhooks: [webhookOf('patching', 'Never', 'jobs')],
});

/** Returns the names of the labels of a job that a webhook patches. */
async function labelsAfter(patch: readonly object[], metadata: object) {
  const spec = { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] };
  const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'j', ...metadata }, spec: { template: { metadata: {}, spec } } };
  const body = Buffer.from(JSON.stringify(job));
  const call = { method: 'POST', path: '/apis/batch/v1/namespaces/default/jobs', contentType: 'application/json', body };
  const state = clusterStateWith({ objects: [configuration] });
  const { answer } = await handleCall(call, state, effectsFor(webhooksPatching('patching', patch, () => {})));
  expect(answer.status).toBe(201);
  return Object.keys(JSON.parse(answer.body).metadata.labels).sort();
}

const labelTemplate = [{ op: 'add', path: '/spec/template/metadata/labels', value: { x: 'y' } }];
const generated = ['batch.kubernetes.io/controller-uid', 'batch.kubernetes.io/job-name', 'controller-uid', 'job-name'];

/** Asked of kube-apiserver v1.36.3 with 234 jobs, templates and patches: the labels of such a job are those of its template. */
it('a job without labels has the generated ones, too, where a webhook labels its template', async () => {
  expect(await labelsAfter(labelTemplate, {})).toEqual([...generated, 'x']);
  expect(await labelsAfter(labelTemplate, { labels: {} })).toEqual([...generated, 'x']);
});

it('a job with labels keeps its own', async () => {
  expect(await labelsAfter(labelTemplate, { labels: { c: 'd' } })).toEqual(['c']);
});
