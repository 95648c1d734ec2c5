import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CompletionList } from 'vscode-languageserver';
import { type Editor, startEditor } from './editor.js';

let editor: Editor;
beforeAll(async () => {
  editor = await startEditor();
});
afterAll(async () => {
  await editor.close();
});

/** apiVersion, kind, the path to a map (a name with `[]` is a list), fields that are offered there, and fields that are not. */
const rows: readonly (readonly [string, string, string, string, string])[] = [
  ['v1', 'Pod', 'metadata', 'labels annotations finalizers ownerReferences', 'spec containers'],
  ['v1', 'Pod', 'spec', 'containers initContainers volumes nodeSelector tolerations', 'image replicas template'],
  ['v1', 'Pod', 'spec.containers[]', 'image command args env ports resources', 'containers nodeName'],
  ['v1', 'Pod', 'spec.containers[].env[]', 'name value valueFrom', 'key optional'],
  ['v1', 'Pod', 'spec.containers[].env[].valueFrom', 'configMapKeyRef secretKeyRef fieldRef', 'name value'],
  ['v1', 'Pod', 'spec.containers[].env[].valueFrom.secretKeyRef', 'name key optional', 'secretName fieldPath'],
  ['v1', 'Pod', 'spec.containers[].ports[]', 'containerPort hostPort protocol name', 'port targetPort'],
  ['v1', 'Pod', 'spec.containers[].livenessProbe', 'httpGet tcpSocket exec grpc periodSeconds', 'image preStop'],
  ['v1', 'Pod', 'spec.containers[].livenessProbe.httpGet', 'path port scheme httpHeaders', 'command url'],
  ['v1', 'Pod', 'spec.containers[].lifecycle', 'postStart preStop', 'httpGet exec'],
  ['v1', 'Pod', 'spec.containers[].securityContext', 'privileged capabilities runAsUser seccompProfile', 'fsGroup sysctls'],
  ['v1', 'Pod', 'spec.securityContext', 'fsGroup sysctls runAsNonRoot', 'privileged capabilities'],
  ['v1', 'Pod', 'spec.containers[].volumeMounts[]', 'mountPath subPath readOnly', 'claimName path'],
  ['v1', 'Pod', 'spec.volumes[]', 'configMap secret emptyDir persistentVolumeClaim projected', 'mountPath size'],
  ['v1', 'Pod', 'spec.volumes[].secret', 'secretName items defaultMode optional', 'name key'],
  ['v1', 'Pod', 'spec.affinity', 'nodeAffinity podAffinity podAntiAffinity', 'tolerations'],
  ['v1', 'Pod', 'spec.tolerations[]', 'key operator value effect', 'values labels'],
  ['v1', 'Pod', 'spec.topologySpreadConstraints[]', 'maxSkew topologyKey whenUnsatisfiable', 'operator'],
  ['v1', 'Service', 'spec', 'ports selector type clusterIP', 'containers template'],
  ['v1', 'Service', 'spec.ports[]', 'port targetPort nodePort', 'containerPort hostPort'],
  ['v1', 'Secret', '', 'data stringData type immutable', 'spec binaryData'],
  ['v1', 'ConfigMap', '', 'data binaryData immutable', 'spec stringData'],
  ['v1', 'Namespace', 'spec', 'finalizers', 'hard'],
  ['v1', 'ServiceAccount', '', 'secrets imagePullSecrets', 'spec rules'],
  ['v1', 'PersistentVolumeClaim', 'spec', 'accessModes resources storageClassName', 'capacity hostPath'],
  ['v1', 'PersistentVolume', 'spec', 'capacity hostPath csi', 'resources'],
  ['v1', 'ResourceQuota', 'spec', 'hard scopes scopeSelector', 'limits'],
  ['v1', 'LimitRange', 'spec.limits[]', 'type max min default defaultRequest', 'hard'],
  ['apps/v1', 'Deployment', 'spec', 'replicas selector template strategy', 'serviceName updateStrategy'],
  ['apps/v1', 'Deployment', 'spec.strategy.rollingUpdate', 'maxSurge maxUnavailable', 'partition'],
  ['apps/v1', 'Deployment', 'spec.selector', 'matchLabels matchExpressions', 'labels'],
  ['apps/v1', 'Deployment', 'spec.template.spec.containers[]', 'image ports', 'replicas'],
  ['apps/v1', 'StatefulSet', 'spec', 'serviceName volumeClaimTemplates updateStrategy', 'strategy'],
  ['apps/v1', 'StatefulSet', 'spec.volumeClaimTemplates[].spec', 'accessModes storageClassName', 'containers'],
  ['apps/v1', 'DaemonSet', 'spec', 'updateStrategy template', 'replicas'],
  ['batch/v1', 'Job', 'spec', 'completions parallelism backoffLimit template', 'schedule'],
  ['batch/v1', 'CronJob', 'spec', 'schedule jobTemplate concurrencyPolicy', 'template completions'],
  ['batch/v1', 'CronJob', 'spec.jobTemplate.spec', 'completions template', 'schedule'],
  ['networking.k8s.io/v1', 'Ingress', 'spec.rules[].http.paths[]', 'path pathType backend', 'serviceName'],
  ['networking.k8s.io/v1', 'Ingress', 'spec.rules[].http.paths[].backend.service', 'name port', 'servicePort'],
  ['networking.k8s.io/v1', 'NetworkPolicy', 'spec', 'podSelector ingress egress policyTypes', 'rules'],
  ['networking.k8s.io/v1', 'NetworkPolicy', 'spec.ingress[].from[]', 'podSelector namespaceSelector ipBlock', 'to ports'],
  ['rbac.authorization.k8s.io/v1', 'Role', 'rules[]', 'apiGroups resources verbs resourceNames', 'operations'],
  ['rbac.authorization.k8s.io/v1', 'RoleBinding', 'subjects[]', 'kind name namespace apiGroup', 'roleRef'],
  ['autoscaling/v2', 'HorizontalPodAutoscaler', 'spec', 'scaleTargetRef minReplicas maxReplicas metrics', 'replicas'],
  ['policy/v1', 'PodDisruptionBudget', 'spec', 'minAvailable maxUnavailable selector', 'replicas'],
  ['scheduling.k8s.io/v1', 'PriorityClass', '', 'value globalDefault preemptionPolicy', 'spec'],
  ['storage.k8s.io/v1', 'StorageClass', '', 'provisioner parameters reclaimPolicy', 'spec'],
  [
    'admissionregistration.k8s.io/v1',
    'ValidatingWebhookConfiguration',
    'webhooks[]',
    'clientConfig rules sideEffects',
    'reinvocationPolicy',
  ],
  ['admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration', 'webhooks[]', 'reinvocationPolicy timeoutSeconds', 'spec'],
  ['admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'webhooks[].clientConfig', 'url service caBundle', 'name'],
  ['admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'webhooks[].rules[]', 'operations resources scope', 'verbs'],
  ['admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', 'spec', 'validations variables auditAnnotations', 'mutations'],
  [
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicy',
    'spec.validations[]',
    'expression message messageExpression reason',
    'name',
  ],
  [
    'admissionregistration.k8s.io/v1',
    'MutatingAdmissionPolicy',
    'spec.mutations[]',
    'patchType applyConfiguration jsonPatch',
    'expression',
  ],
  ['admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding', 'spec', 'policyName validationActions paramRef', 'validations'],
  ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'spec', 'group names versions scope conversion', 'version schema'],
  ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'spec.versions[]', 'served storage schema subresources', 'group'],
];

const formats = { YAML: blockAt, JSON: jsonAt };

for (const [format, write] of Object.entries(formats)) {
  it.each(rows)(`offers fields of %s %s at %s in ${format}`, async (apiVersion, kind, path, present, absent) => {
    const { text, line, character } = write(apiVersion, kind, path);
    const uri = `file:///${kind}-${path}.${format.toLowerCase()}`;
    await editor.show(uri, text);
    const params = { textDocument: { uri }, position: { line, character } };
    const list: CompletionList | null = await editor.connection.sendRequest('textDocument/completion', params);
    const labels = (list?.items ?? []).map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining(present.split(' ')));
    expect(labels.filter(label => absent.split(' ').includes(label))).toEqual([]);
  });
}

interface WrittenPlace {
  readonly text: string;
  readonly line: number;
  readonly character: number;
}

/** Returns a document with an empty line in the map at a path, and the place in that line. */
function blockAt(apiVersion: string, kind: string, path: string): WrittenPlace {
  const lines = [`apiVersion: ${apiVersion}`, `kind: ${kind}`];
  let [indent, dash] = ['', ''];
  for (const step of path === '' ? [] : path.split('.')) {
    lines.push(`${indent}${dash}${step.replace('[]', '')}:`);
    indent = `${indent}${dash === '' ? '' : '  '}  `;
    dash = step.endsWith('[]') ? '- ' : '';
  }
  lines.push(indent + dash);
  return { text: lines.join('\n'), line: lines.length - 1, character: indent.length + dash.length };
}

/** Returns a document in which a key starts in the map at a path, and the place in its quotes. */
function jsonAt(apiVersion: string, kind: string, path: string): WrittenPlace {
  let [before, after] = [`{"apiVersion": "${apiVersion}", "kind": "${kind}", `, '}'];
  for (const step of path === '' ? [] : path.split('.')) {
    const [open, close] = step.endsWith('[]') ? ['[{', '}]'] : ['{', '}'];
    before += `"${step.replace('[]', '')}": ${open}`;
    after = close + after;
  }
  return { text: `${before}""${after}`, line: 0, character: before.length + 1 };
}
