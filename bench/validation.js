#!/usr/bin/env node
// Measures the validation of pods: small and large ones, valid and with errors.
// `node bench/validation.js [VALIDATIONS] [FOLDER OF COMPILED MODULES]`, after `npm run build`.
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const count = Number(process.argv[2] ?? 1_000);
const folder = path.resolve(process.argv[3] ?? path.join(import.meta.dirname, '../dist/src'));
const load = name => import(pathToFileURL(path.join(folder, name)).href);
const { createErrors } = await load('apiserver/registry/object-errors.js');
const { apiServers } = await load('cli/work/api-servers/api-servers.js');
const { podRules } = await load('apis/core/pod/validation/pod-validation.js');
const { builtInResources } = await load('kubernetes/resource-table.js');
const { toValue } = await load('go/value.js');

const server = apiServers({ minor: 'v1.36' });
const resource = builtInResources(server, 'default').resources.find(({ kind }) => kind.kind === 'Pod');
const probe = {
  httpGet: { path: '/', port: 8080, scheme: 'HTTP' },
  timeoutSeconds: 1,
  periodSeconds: 10,
  successThreshold: 1,
  failureThreshold: 3,
};

for (const [name, object] of [
  ['a pod of one container', pod([container('app')])],
  ['a pod of ten containers', pod(Array.from({ length: 10 }, (_, i) => container(`app-${i}`)))],
  ['one of ten containers with errors', pod(Array.from({ length: 10 }, (_, i) => ({ ...container(`app-${i}`), image: '', name: 'A' })))],
]) {
  const value = toValue(object);
  const validate = () => createErrors(server, value, resource, podRules);
  const errors = validate().length;
  const times = Array.from({ length: 40 }, () => microseconds(validate));
  console.log(`${`${name} (${errors} errors)`.padEnd(52)} ${Math.min(...times).toFixed(1)} µs each`);
}

function pod(containers) {
  return {
    metadata: {
      name: 'web',
      namespace: 'shop',
      labels: { app: 'web' },
      uid: '3f0c6c4e-8d0e-4d5b-9a55-1f2ad4c3b7aa',
      creationTimestamp: '2026-03-01T10:11:12Z',
    },
    spec: {
      containers,
      volumes: [{ name: 'config', configMap: { name: 'config', defaultMode: 420 } }],
      tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }],
      restartPolicy: 'Always',
      dnsPolicy: 'ClusterFirst',
      schedulerName: 'default-scheduler',
      terminationGracePeriodSeconds: 30,
      securityContext: {},
    },
  };
}

function container(name) {
  return {
    name,
    image: 'registry.example.com/team/app:1.2.3',
    ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
    env: [
      { name: 'LEVEL', value: 'info' },
      { name: 'NODE', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'spec.nodeName' } } },
    ],
    resources: { limits: { cpu: '100m', memory: '64Mi' }, requests: { cpu: '50m', memory: '64Mi' } },
    volumeMounts: [{ name: 'config', mountPath: '/etc/config' }],
    readinessProbe: probe,
    livenessProbe: probe,
    securityContext: { runAsNonRoot: true, allowPrivilegeEscalation: false },
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: 'IfNotPresent',
  };
}

function microseconds(run) {
  const start = performance.now();
  for (let i = 0; i < count; i += 1) run();
  return ((performance.now() - start) / count) * 1000;
}
