import { richPod } from './pods.js';

const labels = { app: 'a' };
const pod = { containers: [{ name: 'a', image: 'nginx' }] };
const selector = { matchLabels: labels };
/** Expressions with values, and without. */
const expressions = {
  matchExpressions: [
    { key: 'app', operator: 'In', values: ['a'] },
    { key: 'app', operator: 'Exists' },
  ],
};
const template = { metadata: { labels }, spec: pod };
const richTemplate = { metadata: { labels, annotations: { 'example.com/note': 'a' } }, spec: richPod };
const { topologySpreadConstraints: _, ...jobPod } = richPod;

/** Manifests of the kinds with pod templates, with minimal and with rich metadata. */
export function workloadTemplates(meta: object, rich: object): Readonly<Record<string, readonly object[]>> {
  const job = (spec: object): object => ({ template: { spec: { ...spec, restartPolicy: 'Never' } } });
  return {
    Deployment: [
      { metadata: meta, spec: { selector, template } },
      {
        metadata: rich,
        spec: {
          replicas: 3,
          selector,
          strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 } },
          template: richTemplate,
        },
      },
      { metadata: meta, spec: { replicas: 0, selector: expressions, template, strategy: { type: 'Recreate' } } },
      {
        metadata: meta,
        spec: {
          replicas: 2147483647,
          paused: true,
          selector,
          template,
          strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: '0%' } },
        },
      },
    ],
    ReplicaSet: [
      { metadata: meta, spec: { selector, template } },
      { metadata: rich, spec: { replicas: 2, selector: expressions, template: richTemplate } },
    ],
    StatefulSet: [
      { metadata: meta, spec: { selector, serviceName: 'a', template } },
      {
        metadata: rich,
        spec: {
          selector,
          serviceName: 'a',
          replicas: 2,
          template: richTemplate,
          volumeClaimTemplates: [
            { metadata: { name: 'v' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
          ],
        },
      },
    ],
    DaemonSet: [
      { metadata: meta, spec: { selector, template } },
      {
        metadata: rich,
        spec: {
          selector: expressions,
          template: richTemplate,
          updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '10%' } },
        },
      },
    ],
    ReplicationController: [{ metadata: meta, spec: { selector: labels, template } }],
    PodTemplate: [{ metadata: meta, template: { metadata: { labels }, spec: pod } }],
    Job: [
      { metadata: meta, spec: job(pod) },
      { metadata: meta, spec: { ...job(pod), parallelism: 2 } },
      { metadata: rich, spec: { ...job(jobPod), completions: 2, parallelism: 2, backoffLimit: 0, completionMode: 'Indexed' } },
    ],
    CronJob: [
      { metadata: meta, spec: { schedule: '* * * * *', jobTemplate: { spec: job(pod) } } },
      {
        metadata: rich,
        spec: {
          schedule: '@hourly',
          concurrencyPolicy: 'Forbid',
          successfulJobsHistoryLimit: 0,
          jobTemplate: { spec: { ...job(pod), ttlSecondsAfterFinished: 0 } },
        },
      },
      {
        metadata: rich,
        spec: { schedule: '0 0 * * 1', timeZone: 'Etc/UTC', suspend: true, jobTemplate: { metadata: { labels }, spec: job(jobPod) } },
      },
    ],
  };
}
