import type { PlaygroundInput } from './model.js';

const pod = `apiVersion: v1
kind: Pod
metadata:
  name: web
  labels:
    app: web
spec:
  containers:
  - name: nginx
    image: nginx:1.27
`;

/** A webhook that is called for the pods that it, or the control plane, needs to start is an error of lint. */
const outside = `  namespaceSelector:
    matchExpressions:
    - {key: kubernetes.io/metadata.name, operator: NotIn, values: [kube-system, shop]}
`;

const webhook = (kind: 'Mutating' | 'Validating', name: string, more = outside): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ${kind}WebhookConfiguration
metadata:
  name: ${name}
webhooks:
- name: ${name}.example.com
  clientConfig:
    service: {namespace: shop, name: ${name}, path: /review}
  rules:
  - apiGroups: [""]
    apiVersions: [v1]
    operations: [CREATE, UPDATE]
    resources: [pods]
  sideEffects: None
  admissionReviewVersions: [v1]
${more}`;

const empty: PlaygroundInput = {
  ...{ manifest: pod, configuration: '', definitions: '', policies: '', answers: '' },
  ...{ version: 'v1.37', operation: 'create', user: '' },
};

/** Inputs to start from, by title. */
export const examples: Readonly<Record<string, PlaygroundInput>> = {
  'A webhook that adds a sidecar': {
    ...empty,
    configuration: `${webhook('Mutating', 'sidecar')}---\n${webhook('Validating', 'guard')}`,
    answers: `# An answer for each webhook; without one, it allows.
sidecar.example.com:
  patch:
  - op: add
    path: /spec/containers/-
    value: {name: proxy, image: "registry.example.com/proxy:1.0"}
  warnings:
  - the sidecar needs 64 Mi
`,
  },
  'Why is my webhook not called?': {
    ...empty,
    configuration: webhook(
      'Validating',
      'guard',
      `  namespaceSelector:
    matchLabels: {team: payments}
  matchConditions:
  - name: not-a-system-pod
    expression: '!("system" in object.metadata.labels)'
`,
    ),
    definitions: `apiVersion: v1
kind: Namespace
metadata:
  name: default
  labels: {team: shop}
`,
  },
  'A webhook that refuses': {
    ...empty,
    configuration: webhook('Validating', 'guard'),
    answers: `guard.example.com:
  allowed: false
  code: 422
  message: image nginx:1.27 is not from our registry
`,
  },
  'A webhook whose answer depends on the request': {
    ...empty,
    configuration: `${webhook('Mutating', 'team')}---\n${webhook('Validating', 'guard')}`,
    answers: `# The first answer whose "when" is true counts.
team.example.com:
- when: "!('team' in object.metadata.labels)"
  patchExpression: |
    [JSONPatch{op: "add", path: "/metadata/labels/team", value: request.userInfo.username}]
guard.example.com:
- when: object.spec.containers.exists(c, !c.image.startsWith('registry.example.com/'))
  allowed: false
  code: 422
  messageExpression: |
    'images that are not from our registry: ' +
    object.spec.containers.map(c, c.image).filter(i, !i.startsWith('registry.example.com/')).join(', ')
`,
  },
  'A webhook that cannot be reached': {
    ...empty,
    configuration: webhook('Validating', 'guard', '  failurePolicy: Fail\n  timeoutSeconds: 5\n'),
    answers: `guard.example.com:
  error: 'Post "https://guard.shop.svc:443/review?timeout=5s": dial tcp 10.0.0.7:443: connect: connection refused'
`,
  },
  'A ValidatingAdmissionPolicy': {
    ...empty,
    policies: `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: owned
spec:
  matchConstraints:
    resourceRules:
    - apiGroups: [""]
      apiVersions: [v1]
      operations: [CREATE]
      resources: [pods]
  validations:
  - expression: has(object.metadata.labels) && 'owner' in object.metadata.labels
    message: every pod needs an owner
  - expression: object.spec.containers.all(c, c.image.contains(':'))
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: owned
spec:
  policyName: owned
  validationActions: [Deny]
`,
  },
  'A custom resource that its definition refuses': {
    ...empty,
    manifest: `apiVersion: example.com/v1
kind: Widget
metadata:
  name: blue
spec:
  size: 12
  color: 5
`,
    definitions: `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer, maximum: 10}
              color: {type: string}
`,
  },
  'A pod that the API server refuses': { ...empty, manifest: pod.replace('nginx:1.27', '""').replace('name: nginx', 'name: Nginx') },
};

/** The first example. */
export const startInput: PlaygroundInput = Object.values(examples)[0] ?? empty;
