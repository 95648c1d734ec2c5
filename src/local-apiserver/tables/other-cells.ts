import { listAt, mapAt, stringAt, type Value, type ValueMap, valueAt } from '../../go/value.js';
import { ageOf, conditionStatus, count, humanDuration, nameCell, selectorCell, shortList } from './cell-text.js';
import { balancerAddresses, type CellMaker } from './core-cells.js';
import { metricsText } from './metrics-text.js';

const named: CellMaker = (o, now) => [nameCell(o), ageOf(o, now)];
const webhooks: CellMaker = (o, now) => [nameCell(o), BigInt(listAt(o, 'webhooks').length), ageOf(o, now)];
const binding: CellMaker = (o, now) => [nameCell(o), stringAt(o, 'spec', 'policyName'), paramRefText(o), ageOf(o, now)];
const roleBinding: CellMaker = (o, now) => [
  nameCell(o),
  `${stringAt(o, 'roleRef', 'kind')}/${stringAt(o, 'roleRef', 'name')}`,
  ageOf(o, now),
  ...subjects(o),
];
const flag = (o: ValueMap, key: string, missing = false): boolean => {
  const value = valueAt(o, 'spec', key);
  return typeof value === 'boolean' ? value : missing;
};

/** Rows of further groups, by `resource.group`. Source: kubernetes pkg/printers/internalversion/printers.go. */
export const otherCells: Readonly<Record<string, CellMaker>> = {
  'horizontalpodautoscalers.autoscaling': (o, now) => [
    nameCell(o),
    `${stringAt(o, 'spec', 'scaleTargetRef', 'kind')}/${stringAt(o, 'spec', 'scaleTargetRef', 'name')}`,
    metricsText(o),
    String(valueAt(o, 'spec', 'minReplicas') ?? '<unset>'),
    count(o, 'spec', 'maxReplicas'),
    count(o, 'status', 'currentReplicas'),
    ageOf(o, now),
  ],
  'ingresses.networking.k8s.io': (o, now) => [
    nameCell(o),
    stringAt(o, 'spec', 'ingressClassName') || '<none>',
    hosts(o),
    balancerAddresses(o).join(','),
    listAt(o, 'spec', 'tls').length > 0 ? '80, 443' : '80',
    ageOf(o, now),
  ],
  'ingressclasses.networking.k8s.io': (o, now) => [
    isDefault(o, ['ingressclass.kubernetes.io']) ? `${nameCell(o)} (default)` : nameCell(o),
    stringAt(o, 'spec', 'controller'),
    parameters(o),
    ageOf(o, now),
  ],
  'networkpolicies.networking.k8s.io': (o, now) => [nameCell(o), selectorCell(valueAt(o, 'spec', 'podSelector')), ageOf(o, now)],
  'ipaddresses.networking.k8s.io': o => [nameCell(o), parentText(o)],
  'servicecidrs.networking.k8s.io': (o, now) => [nameCell(o), listAt(o, 'spec', 'cidrs').join(','), ageOf(o, now)],
  'poddisruptionbudgets.policy': (o, now) => [
    nameCell(o),
    String(valueAt(o, 'spec', 'minAvailable') ?? 'N/A'),
    String(valueAt(o, 'spec', 'maxUnavailable') ?? 'N/A'),
    count(o, 'status', 'disruptionsAllowed'),
    ageOf(o, now),
  ],
  'rolebindings.rbac.authorization.k8s.io': roleBinding,
  'clusterrolebindings.rbac.authorization.k8s.io': roleBinding,
  'certificatesigningrequests.certificates.k8s.io': (o, now) => [
    nameCell(o),
    ageOf(o, now),
    stringAt(o, 'spec', 'signerName') || '<none>',
    stringAt(o, 'spec', 'username'),
    requestedDuration(o),
    requestStatus(o),
  ],
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': webhooks,
  'validatingwebhookconfigurations.admissionregistration.k8s.io': webhooks,
  'validatingadmissionpolicies.admissionregistration.k8s.io': (o, now) => [
    nameCell(o),
    BigInt(listAt(o, 'spec', 'validations').length),
    paramKind(o),
    ageOf(o, now),
  ],
  'mutatingadmissionpolicies.admissionregistration.k8s.io': (o, now) => [
    nameCell(o),
    BigInt(listAt(o, 'spec', 'mutations').length),
    paramKind(o),
    ageOf(o, now),
  ],
  'validatingadmissionpolicybindings.admissionregistration.k8s.io': binding,
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io': binding,
  'leases.coordination.k8s.io': (o, now) => [nameCell(o), stringAt(o, 'spec', 'holderIdentity'), ageOf(o, now)],
  'endpointslices.discovery.k8s.io': (o, now) => [nameCell(o), stringAt(o, 'addressType'), slicePorts(o), sliceAddresses(o), ageOf(o, now)],
  'priorityclasses.scheduling.k8s.io': (o, now) => [
    nameCell(o),
    count(o, 'value'),
    valueAt(o, 'globalDefault') === true,
    ageOf(o, now),
    stringAt(o, 'preemptionPolicy'),
  ],
  'runtimeclasses.node.k8s.io': (o, now) => [nameCell(o), stringAt(o, 'handler'), ageOf(o, now)],
  'apiservices.apiregistration.k8s.io': (o, now) => [nameCell(o), serviceText(o), availability(o), ageOf(o, now)],
  'flowschemas.flowcontrol.apiserver.k8s.io': (o, now) => [
    nameCell(o),
    stringAt(o, 'spec', 'priorityLevelConfiguration', 'name'),
    count(o, 'spec', 'matchingPrecedence'),
    stringAt(o, 'spec', 'distinguisherMethod', 'type') || '<none>',
    ageOf(o, now),
    conditionStatus(o, 'Dangling') || '?',
  ],
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': priorityLevelCells,
  'storageclasses.storage.k8s.io': (o, now) => [
    isDefault(o, ['storageclass.kubernetes.io', 'storageclass.beta.kubernetes.io']) ? `${nameCell(o)} (default)` : nameCell(o),
    stringAt(o, 'provisioner'),
    stringAt(o, 'reclaimPolicy') || 'Delete',
    stringAt(o, 'volumeBindingMode') || 'Immediate',
    valueAt(o, 'allowVolumeExpansion') === true,
    ageOf(o, now),
  ],
  'volumeattachments.storage.k8s.io': (o, now) => [
    nameCell(o),
    stringAt(o, 'spec', 'attacher'),
    stringAt(o, 'spec', 'source', 'persistentVolumeName'),
    stringAt(o, 'spec', 'nodeName'),
    valueAt(o, 'status', 'attached') === true,
    ageOf(o, now),
  ],
  'volumeattributesclasses.storage.k8s.io': (o, now) => [nameCell(o), stringAt(o, 'driverName'), ageOf(o, now)],
  'csinodes.storage.k8s.io': (o, now) => [nameCell(o), BigInt(listAt(o, 'spec', 'drivers').length), ageOf(o, now)],
  'csidrivers.storage.k8s.io': (o, now) => [
    nameCell(o),
    flag(o, 'attachRequired', true),
    flag(o, 'podInfoOnMount'),
    flag(o, 'storageCapacity'),
    listAt(o, 'spec', 'tokenRequests')
      .map(request => stringAt(request, 'audience'))
      .join(',') || '<unset>',
    flag(o, 'requiresRepublish'),
    listAt(o, 'spec', 'volumeLifecycleModes').join(',') || '<none>',
    ageOf(o, now),
  ],
  'deviceclasses.resource.k8s.io': named,
  'resourceclaimtemplates.resource.k8s.io': named,
  'resourceclaims.resource.k8s.io': (o, now) => [nameCell(o), claimState(o), ageOf(o, now)],
  'resourceslices.resource.k8s.io': (o, now) => [
    nameCell(o),
    stringAt(o, 'spec', 'nodeName'),
    stringAt(o, 'spec', 'driver'),
    stringAt(o, 'spec', 'pool', 'name'),
    ageOf(o, now),
  ],
};

function hosts(ingress: ValueMap): string {
  const rules = listAt(ingress, 'spec', 'rules');
  const found = rules.map(rule => stringAt(rule, 'host')).filter(host => host !== '');
  if (found.length === 0) return '*';
  return found.length > 3 ? `${found.slice(0, 3).join(',')} + ${rules.length - 3} more...` : found.join(',');
}

function parameters(ingressClass: ValueMap): string {
  const reference = mapAt(ingressClass, 'spec', 'parameters');
  if (reference === undefined) return '<none>';
  const group = stringAt(reference, 'apiGroup');
  return `${stringAt(reference, 'kind')}${group === '' ? '' : `.${group}`}/${stringAt(reference, 'name')}`;
}

function parentText(address: ValueMap): string {
  const reference = valueAt(address, 'spec', 'parentRef');
  const [group, resource, namespace, name] = ['group', 'resource', 'namespace', 'name'].map(key => stringAt(reference, key));
  return [`${resource}${group === '' ? '' : `.${group}`}`, namespace, name].filter(part => part !== '').join('/');
}

function subjects(roleBinding: ValueMap): string[] {
  const all = listAt(roleBinding, 'subjects');
  const ofKind = (kind: string) => all.filter(subject => stringAt(subject, 'kind') === kind);
  const names = (kind: string): string =>
    ofKind(kind)
      .map(subject => stringAt(subject, 'name'))
      .join(', ');
  const accounts = ofKind('ServiceAccount').map(subject => `${stringAt(subject, 'namespace')}/${stringAt(subject, 'name')}`);
  return [names('User'), names('Group'), accounts.join(', ')];
}

function requestedDuration(request: ValueMap): string {
  const seconds = valueAt(request, 'spec', 'expirationSeconds');
  return typeof seconds === 'bigint' ? humanDuration(Number(seconds) * 1000) : '<none>';
}

function requestStatus(request: ValueMap): string {
  const has = (type: string): boolean => listAt(request, 'status', 'conditions').some(c => stringAt(c, 'type') === type);
  const decision = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  return `${decision}${has('Failed') ? ',Failed' : ''}${stringAt(request, 'status', 'certificate') === '' ? '' : ',Issued'}`;
}

function paramKind(policy: ValueMap): string {
  const kind = mapAt(policy, 'spec', 'paramKind');
  return kind === undefined ? '<unset>' : `${stringAt(kind, 'apiVersion')}/${stringAt(kind, 'kind')}`;
}

function slicePorts(slice: ValueMap): string {
  const ports = listAt(slice, 'ports').map(port => String(valueAt(port, 'port') ?? (stringAt(port, 'name') || '*')));
  return shortList(ports, 3) || '<unset>';
}

function sliceAddresses(slice: ValueMap): string {
  return (
    shortList(
      listAt(slice, 'endpoints').flatMap(endpoint => listAt(endpoint, 'addresses').map(String)),
      3,
    ) || '<unset>'
  );
}

function serviceText(apiService: ValueMap): string {
  const service = mapAt(apiService, 'spec', 'service');
  return service === undefined ? 'Local' : `${stringAt(service, 'namespace')}/${stringAt(service, 'name')}`;
}

function availability(apiService: ValueMap): string {
  const condition = listAt(apiService, 'status', 'conditions').find(c => stringAt(c, 'type') === 'Available');
  if (condition === undefined) return 'Unknown';
  const status = stringAt(condition, 'status');
  return status === 'True' ? status : `${status} (${stringAt(condition, 'reason')})`;
}

function priorityLevelCells(level: ValueMap, now: Date): Value[] {
  const limited = mapAt(level, 'spec', 'limited');
  const queuing = mapAt(limited, 'limitResponse', 'queuing');
  const shares = valueAt(limited, 'nominalConcurrencyShares') ?? '<none>';
  const ofQueues = (key: string): Value => (queuing === undefined ? '<none>' : count(queuing, key));
  return [
    nameCell(level),
    stringAt(level, 'spec', 'type'),
    shares,
    ofQueues('queues'),
    ofQueues('handSize'),
    ofQueues('queueLengthLimit'),
    ageOf(level, now),
  ];
}

/** Reports whether an annotation with one of the prefixes marks a class as the default. */
/** Reports whether a class is marked as the default. */
export function isDefault(ofClass: ValueMap, prefixes: readonly string[]): boolean {
  return prefixes.some(prefix => stringAt(ofClass, 'metadata', 'annotations', `${prefix}/is-default-class`) === 'true');
}

function claimState(claim: ValueMap): string {
  const states = [
    ...(stringAt(claim, 'metadata', 'deletionTimestamp') === '' ? [] : ['deleted']),
    ...(mapAt(claim, 'status', 'allocation') === undefined ? ['pending'] : ['allocated']),
    ...(listAt(claim, 'status', 'reservedFor').length > 0 ? ['reserved'] : []),
  ];
  const shown = states.filter(state => state !== 'pending' || states.length === 1);
  return shown.join(',');
}

/** Returns the parameters of the binding of an admission policy. Source: kubernetes pkg/printers/internalversion/printers.go printValidatingAdmissionPolicyBinding. */
function paramRefText(policyBinding: ValueMap): string {
  const reference = mapAt(policyBinding, 'spec', 'paramRef');
  const name = stringAt(reference, 'name');
  // Whether the parameter has a namespace is not known here.
  if (name !== '') return `${stringAt(reference, 'namespace') || '*'}/${name}`;
  const selector = mapAt(reference, 'selector');
  return selector === undefined ? '<unset>' : selectorAsGo(selector);
}

/** A LabelSelector as Go's generated String() prints it. Source: apimachinery meta/v1 generated.pb.go. */
function selectorAsGo(selector: ValueMap): string {
  const labels = [...(mapAt(selector, 'matchLabels') ?? [])].map(([key, value]) => `${key}: ${String(value)},`).sort();
  const expressions = listAt(selector, 'matchExpressions').map(expression => {
    const values = listAt(expression, 'values').map(String).join(' ');
    return `LabelSelectorRequirement{Key:${stringAt(expression, 'key')},Operator:${stringAt(expression, 'operator')},Values:[${values}],},`;
  });
  const shown = `MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},`;
  return `&LabelSelector{${shown}}`;
}
