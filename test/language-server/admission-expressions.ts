import { block, type Kind } from './expression-kinds.js';

const group = 'apiVersion: admissionregistration.k8s.io/v1';
const deployments = '{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}';
const services = '{apiGroups: [""], apiVersions: [v1], operations: ["*"], resources: [services]}';

const configuration = (name: string, expression: string): string => `${group}
kind: ${name}
metadata: {name: a}
webhooks:
- name: first.example.com
  rules:
  - ${services}
- name: second.example.com
  rules:
  - ${deployments}
  matchConditions:
  - {name: earlier, expression: 'true'}
  - name: a
    expression: ${block(6, expression)}
`;

const policy = (name: string, rest: string, rule = deployments): string => `${group}
kind: ${name}
metadata: {name: a}
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints:
    resourceRules:
    - ${rule}
${rest}`;

const variables = `  variables:
  - {name: images, expression: 'object.spec.template.spec.containers.map(c, c.image)'}
  - {name: replicas, expression: object.spec.replicas}
  - {name: made, expression: object.metadata.creationTimestamp}
  - name: later
    expression: `;

/** Expressions of webhooks and admission policies. */
export const admissionExpressions: Readonly<Record<string, Kind>> = {
  'a match condition of a validating webhook': {
    write: text => configuration('ValidatingWebhookConfiguration', text),
    places: [
      ['‸', 'object oldObject request authorizer has size', 'params variables self'],
      ['object.‸', 'metadata spec status', 'replicas ports'],
      ['object.spec.‸', 'replicas template strategy', 'ports clusterIP'],
      ['object.spec.replicas > 1 && object.metadata.‸', 'name labels', 'replicas'],
      ['request.‸', 'operation userInfo dryRun', 'object spec'],
      ['!(request.userInfo.username.‸', 'startsWith endsWith', 'all'],
      ['!request.userInfo.groups.exists(g, g.‸', 'startsWith matches', 'all groups'],
      ['request.kind.group == "apps" && request.‸', 'kind subResource', 'metadata'],
      ['authorizer.requestResource.check("x").‸', 'allowed reason errored error', 'check'],
      ['oldObject.spec.template.spec.containers[0].‸', 'image resources', 'replicas'],
      ['params.‸', '', 'data metadata spec'],
      ['object.metadata.annotations["a"].‸', 'startsWith split', 'all name'],
    ],
  },
  'a match condition of a mutating webhook': {
    write: text => configuration('MutatingWebhookConfiguration', text),
    places: [
      ['obj‸', 'object', 'Object JSONPatch params'],
      ['object.spec.template.spec.‸', 'containers volumes', 'replicas'],
      ['object.spec.template.metadata.‸', 'labels', 'template'],
      ['object.spec.strategy.‸', 'type rollingUpdate', 'replicas'],
      ['"a" in object.metadata.‸', 'labels annotations', 'spec'],
    ],
  },
  'a match condition of a policy': {
    write: text => policy('ValidatingAdmissionPolicy', `  matchConditions:\n  - name: a\n    expression: ${block(6, text)}\n`),
    places: [
      ['‸', 'object oldObject request authorizer params namespaceObject', 'variables self Object'],
      ['object.spec.‸', 'replicas selector', 'ports'],
      ['params.‸', 'data metadata binaryData', 'spec replicas'],
      ['params.data.‸', 'all exists size', 'startsWith spec'],
      ['params.data["a"].‸', 'startsWith size', 'all'],
      ['request.name.‸', 'startsWith', 'metadata'],
    ],
  },
  'a validation of a policy': {
    write: text => policy('ValidatingAdmissionPolicy', `${variables}'true'\n  validations:\n  - expression: ${block(6, text)}\n`),
    places: [
      ['‸', 'object variables params request', 'self JSONPatch images'],
      ['variables.‸', 'images replicas made later', 'spec object'],
      ['variables.images.‸', 'all exists size', 'startsWith'],
      ['variables.images[0].‸', 'startsWith', 'all'],
      ['variables.images.all(i, i.‸', 'startsWith contains', 'image all'],
      ['variables.made.‸', 'getFullYear', 'startsWith'],
      ['variables.replicas > 1 && variables.‸', 'images', 'spec'],
      ['params.data.all(k, k.‸', 'startsWith', 'all'],
      ['object.spec.template.spec.containers.all(c, c.image in variables.‸', 'images', 'image'],
      ['object.?metadata.?labels[?"app"].‸', 'orValue hasValue', 'startsWith'],
      ['optional.‸', 'of none ofNonZeroValue', 'object'],
      ['sets.‸', 'contains equivalent', 'object'],
      ['object.spec.template.spec.containers.map(c, c.ports).‸', 'all size', 'image'],
      ['object.spec.template.spec.containers.map(c, c.ports)[0][0].‸', 'containerPort', 'image all'],
      ['[object.spec.replicas, 1].‸', 'max min sum', 'startsWith'],
      ['{"a": object.spec}["a"].‸', 'replicas template', 'metadata'],
      ['(object.spec.replicas > 1 ? object.metadata : oldObject.metadata).‸', 'name labels', 'spec'],
      ['dyn(object).‸', 'startsWith all', 'replicas'],
      ['string(object.spec.replicas).‸', 'startsWith', 'all'],
      ['type(object) == ‸', 'object', 'self'],
    ],
  },
  'a message of a policy': {
    write: text =>
      policy('ValidatingAdmissionPolicy', `  validations:\n  - expression: 'false'\n    messageExpression: ${block(6, text)}\n`),
    places: [
      ['‸', 'object params request string', 'self Object'],
      ['"a" + ‸', 'object string', 'self'],
      ['"a " + object.metadata.‸', 'name', 'spec'],
      ['"%s".‸', 'format size', 'all'],
      ['"%s".format([object.metadata.‸', 'name namespace', 'spec'],
      ['object.spec.template.spec.containers.map(c, c.name).‸', 'join', 'startsWith'],
      ['string(object.spec.‸', 'replicas', 'metadata'],
    ],
  },
  'an audit annotation of a policy': {
    write: text => policy('ValidatingAdmissionPolicy', `  auditAnnotations:\n  - key: a\n    valueExpression: ${block(6, text)}\n`),
    places: [
      ['‸', 'object params request', 'self Object'],
      ['object.‸', 'spec metadata', 'replicas'],
      ['has(object.spec.‸', 'replicas paused', 'metadata'],
      ['object.spec.replicas > 5 ? object.metadata.‸', 'name', 'replicas'],
      ['object.spec.replicas > 5 ? "many" : ‸', 'object null', 'self'],
    ],
  },
  'a variable of a policy': {
    write: text => policy('ValidatingAdmissionPolicy', `${variables}${block(6, text)}\n  validations:\n  - expression: 'true'\n`),
    places: [
      ['variables.‸', 'images replicas made', 'later'],
      ['variables.images.filter(i, i.‸', 'startsWith', 'all'],
      ['object.spec.selector.‸', 'matchLabels matchExpressions', 'replicas'],
      ['object.spec.selector.matchExpressions.exists(e, e.‸', 'key operator values', 'labels'],
      ['namespaceObject.metadata.labels.‸', 'all exists size', 'name'],
      ['‸', 'variables object', 'self images'],
    ],
  },
  'an expression of a policy for any kind': {
    write: text =>
      policy(
        'ValidatingAdmissionPolicy',
        `  validations:\n  - expression: ${block(6, text)}\n`,
        '{apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"]}',
      ),
    places: [
      ['‸', 'object request', 'self'],
      ['object.‸', 'startsWith all size', 'replicas'],
      ['request.‸', 'operation', 'spec'],
    ],
  },
  'an expression of a policy for several kinds': {
    write: text =>
      policy(
        'ValidatingAdmissionPolicy',
        `  validations:\n  - expression: ${block(6, text)}\n`,
        '{apiGroups: ["", apps], apiVersions: [v1], operations: ["*"], resources: [services, deployments]}',
      ),
    places: [
      ['object.‸', 'metadata spec', 'replicas'],
      ['object.spec.‸', 'replicas ports', 'image'],
      ['object.spec.ports.all(p, p.‸', 'targetPort', 'containerPort'],
    ],
  },
  'a configuration that a mutating policy applies': {
    write: text =>
      policy(
        'MutatingAdmissionPolicy',
        `  mutations:\n  - patchType: ApplyConfiguration\n    applyConfiguration:\n      expression: ${block(8, text)}\n`,
      ),
    places: [
      ['‸', 'Object object params variables', 'self'],
      ['Object{‸', 'spec metadata', 'object replicas'],
      ['Object{metadata: Object.metadata{‸', 'labels annotations', 'spec replicas'],
      ['Object{spec: Object.spec{‸', 'replicas template strategy', 'metadata ports'],
      ['Object{spec: Object.spec{replicas: ‸', 'object params', 'template'],
      ['Object{spec: Object.spec{replicas: 1, ‸', 'template', 'replicas metadata'],
      ['Object{spec: Object.spec{replicas: object.spec.‸', 'replicas', 'metadata'],
      ['Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{‸', 'containers volumes', 'replicas'],
      [
        'Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: object.spec.template.spec.containers.map(c, Object.spec.template.spec.containers{‸',
        'name image',
        'containers replicas',
      ],
      [
        'Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: object.spec.template.spec.containers.map(c, Object.spec.template.spec.containers{name: c.‸',
        'name image',
        'containers',
      ],
      ['Object{metadata: Object.metadata{labels: {"a": object.metadata.‸', 'name namespace', 'spec'],
      ['Object{\n  spec: Object.spec{\n    ‸', 'replicas', 'metadata'],
      ['object.spec.replicas > 1 ? Object{} : Object{‸', 'spec', 'object'],
    ],
  },
  'a patch of a mutating policy': {
    write: text =>
      policy('MutatingAdmissionPolicy', `  mutations:\n  - patchType: JSONPatch\n    jsonPatch:\n      expression: ${block(8, text)}\n`),
    places: [
      ['‸', 'JSONPatch Object object', 'self'],
      ['[JSONPatch{‸', 'op path value from', 'object'],
      ['[JSONPatch{op: "add", ‸', 'path value', 'op'],
      ['[JSONPatch{op: "add", path: "/spec", ‸', 'value from', 'op path'],
      ['[JSONPatch{op: "add", path: "/spec/replicas", value: object.spec.‸', 'replicas', 'metadata'],
      ['[JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.‸', 'escapeKey', 'object'],
      ['[JSONPatch{op: "add", path: "/spec", value: Object.spec{‸', 'replicas', 'metadata'],
      ['[JSONPatch{op: "remove", path: "/a"}] + [JSONPatch{‸', 'op path', 'object'],
      ['object.spec.template.spec.containers.map(c, JSONPatch{op: "add", path: c.‸', 'name image', 'containers'],
      ['has(object.spec.replicas) ? [] : [JSONPatch{op: "add", path: "/x", value: ‸', 'object', 'op'],
    ],
  },
  'a match condition of a mutating policy': {
    write: text => policy('MutatingAdmissionPolicy', `  matchConditions:\n  - name: a\n    expression: ${block(6, text)}\n`),
    places: [
      ['‸', 'object params', 'variables Object JSONPatch'],
      ['object.spec.‸', 'replicas', 'ports'],
    ],
  },
};
