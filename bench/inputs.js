// Files that the benchmarks read: manifests, a large state, webhook configurations.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Writes so many pods with names of their own, and returns their folder. */
export function writePods(folder, name, count) {
  const made = path.join(folder, name);
  mkdirSync(made);
  for (let i = 0; i < count; i++) {
    const spec = { containers: [{ name: 'app', image: `nginx:1.${i}`, resources: { limits: { cpu: '100m', memory: '64Mi' } } }] };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: `web-${i}`, namespace: 'shop', labels: { app: 'web' } }, spec };
    writeFileSync(path.join(made, `web-${i}.json`), JSON.stringify(pod));
  }
  return made;
}

/** Writes the same as YAML, as people write it. */
export function writeManifests(folder, name, count, text) {
  const made = path.join(folder, name);
  mkdirSync(made);
  for (let i = 0; i < count; i++) writeFileSync(path.join(made, `${i}.yaml`), text.replace('name: web', `name: web-${i}`));
  return made;
}

/** Writes a state of about 36,000 lines in the form of `kubectl get -o yaml`, and returns its file. */
export function writeState(folder) {
  const objects = [
    ...times(40, i => ['v1', 'Namespace', `team-${i}`, '', 'spec:\n  finalizers:\n  - kubernetes\nstatus:\n  phase: Active']),
    ...times(150, i => ['v1', 'ConfigMap', `config-${i}`, team(i), configMap(i)]),
    ...times(260, i => ['apps/v1', 'Deployment', `web-${i}`, team(i), deployment(i)]),
    ...times(10, i => ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', `things${i}.example.com`, '', definition(i)]),
  ];
  const items = objects.map(([apiVersion, kind, name, namespace, rest], i) =>
    `apiVersion: ${apiVersion}\nkind: ${kind}\n${metadata(name, namespace, i)}\n${rest}`.replace(/^/gm, '  ').replace('  ', '- '),
  );
  const file = path.join(folder, 'state.yaml');
  writeFileSync(file, `apiVersion: v1\nitems:\n${items.join('\n')}\nkind: List\nmetadata:\n  resourceVersion: ""\n`);
  return file;
}

function times(count, make) {
  return Array.from({ length: count }, (_, i) => make(i));
}

function team(i) {
  return `team-${i % 40}`;
}

function metadata(name, namespace, i) {
  const applied = `{"apiVersion":"v1","kind":"X","metadata":{"annotations":{},"name":"${name}"},"data":{"a":"b c d"}}`;
  return `metadata:
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: |
      ${applied}
    note: "quoted: ${name}"
  creationTimestamp: "2026-03-01T10:11:12Z"
  generation: 1
  labels:
    app.kubernetes.io/name: ${name}
    tier: backend
  name: ${name}${namespace === '' ? '' : `\n  namespace: ${namespace}`}
  resourceVersion: "${1000 + i}"
  uid: 705ab4f5-6393-11e8-b7cc-${String(i).padStart(12, '0')}`;
}

function configMap(i) {
  const settings = times(20, n => `    setting.${n} = value of ${n}, number ${i}`).join('\n');
  return `data:\n  app.conf: |\n${settings}\n  level: info\n  port: "8080"`;
}

function deployment(i) {
  const container = `image: registry.example.com/team/web:1.${i}
        imagePullPolicy: IfNotPresent
        livenessProbe:
          failureThreshold: 3
          httpGet:
            path: /healthz
            port: 8080
            scheme: HTTP
          periodSeconds: 10
        name: web
        ports:
        - containerPort: 8080
          name: http
          protocol: TCP
        resources:
          limits:
            cpu: 500m
            memory: 256Mi
          requests:
            cpu: 100m
            memory: 128Mi
        securityContext: {}
        terminationMessagePath: /dev/termination-log
        terminationMessagePolicy: File`;
  return `spec:
  progressDeadlineSeconds: 600
  replicas: 3
  selector:
    matchLabels:
      app: web-${i}
  strategy:
    rollingUpdate:
      maxSurge: 25%
      maxUnavailable: 25%
    type: RollingUpdate
  template:
    metadata:
      creationTimestamp: null
      labels:
        app: web-${i}
    spec:
      containers:
      - args:
        - --listen=0.0.0.0:8080
        - --log-level=info
        env:
        - name: POD_NAME
          valueFrom:
            fieldRef:
              apiVersion: v1
              fieldPath: metadata.name
        - name: DSN
          value: postgres://db:5432/x?sslmode=disable
        ${container}
      dnsPolicy: ClusterFirst
      restartPolicy: Always
      securityContext: {}
status:
  conditions:
  - lastTransitionTime: "2026-03-01T10:11:12Z"
    message: Deployment has minimum availability.
    reason: MinimumReplicasAvailable
    status: "True"
    type: Available
  readyReplicas: 3
  replicas: 3`;
}

function definition(i) {
  return `spec:
  conversion:
    strategy: None
  group: example.com
  names:
    kind: Thing${i}
    listKind: Thing${i}List
    plural: things${i}
    singular: thing${i}
  scope: Namespaced
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        description: Thing has a description that is so long that kubectl folds it
          over several lines.
        properties:
          spec:
            properties:
${properties(3, 14)}
            type: object
        type: object
    served: true
    storage: true
status:
  conditions:
  - status: "True"
    type: Established
  storedVersions:
  - v1`;
}

function properties(depth, indent) {
  const pad = ' '.repeat(indent);
  return times(8, n => {
    const description = `${pad}field${n}:\n${pad}  description: |-\n${pad}    Field ${n} says how the thing behaves.\n${pad}    More info: https://example.com/docs`;
    if (depth === 0 || n > 1) return `${description}\n${pad}  maxLength: 63\n${pad}  type: string`;
    return `${description}\n${pad}  properties:\n${properties(depth - 1, indent + 4)}\n${pad}  type: object`;
  }).join('\n');
}
