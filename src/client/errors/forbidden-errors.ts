import type { KnownError } from './known-error.js';

/** `pods "a" is forbidden: `, `pods is forbidden: `, `forbidden: `. */
const forbidden = String.raw`^(?:The )?(?:(?<resource>\S+)(?: "(?<name>[^"]*)")? is )?forbidden: `;

function refused(detail: string): RegExp {
  return new RegExp(forbidden + detail, 's');
}

function withoutRole(group: string, resource: string): KnownError {
  const where = `(?: in the namespace "(?<namespace>[^"]*)"| at the cluster scope)?`;
  return {
    id: 'rbac',
    fault: 'permissions',
    text: refused(
      String.raw`User "(?<user>[^"]*)" cannot (?<verb>\S+) resource "(?<what>[^"/]*)(?:/(?<subresource>[^"]*))?" in API group "${group}"${where}`,
    ),
    why: `no role bound to {user} allows {verb} on ${resource}`,
    try: 'add the verb and the resource (with its subresource, as the message has it) to a Role or ClusterRole, and bind it to the user; no admission webhook is involved',
    command: ['kubectl', 'auth', 'can-i', '{verb}', resource, '--subresource={subresource}', '--as', '{user}', '--namespace={namespace}'],
  };
}

const askManifest = 'pass the manifest with -f: a container that is not in it was added by a mutating webhook';

/** Refusals by authorization and by in-tree plugins. Source: apiserver endpoints/handlers/responsewriters, kubernetes plugin/pkg/admission. */
export const forbiddenErrors: readonly KnownError[] = [
  {
    id: 'rbac-anonymous',
    fault: 'permissions',
    text: refused('User "system:anonymous" cannot '),
    why: 'the request has no credentials that the API server accepts, so it is anonymous',
    try: 'check the user of the kubeconfig, or the token of the ServiceAccount',
    command: ['kubectl', 'auth', 'whoami'],
  },
  {
    id: 'rbac-anonymous',
    fault: 'permissions',
    text: refused(String.raw`User "" cannot (?<verb>\S+) resource "(?<what>[^"]*)"`),
    why: 'the user of the request has no name, so no role allows {verb} on {what}',
    try: 'check the credentials, or the user that is impersonated',
    command: ['kubectl', 'auth', 'whoami'],
  },
  withoutRole('', '{what}'),
  withoutRole('(?<group>[^"]+)', '{what}.{group}'),
  {
    id: 'rbac-path',
    fault: 'permissions',
    text: refused(String.raw`User "(?<user>[^"]*)" cannot (?<verb>\S+) path "(?<path>[^"]*)"`),
    why: 'no ClusterRole bound to {user} allows {verb} on the path {path}',
    try: 'bind a ClusterRole with nonResourceURLs',
    command: ['kubectl', 'auth', 'can-i', '{verb}', '{path}', '--as', '{user}'],
  },
  {
    id: 'rbac-escalation',
    fault: 'permissions',
    text: refused('user "(?<user>[^"]*)".*?is attempting to grant RBAC permissions not currently held'),
    why: '{user} may not grant permissions that it does not have itself',
    try: 'give it these permissions first, or the verbs escalate and bind',
    command: ['kubectl', 'auth', 'can-i', '--list', '--as', '{user}'],
  },
  {
    id: 'owner-finalizers',
    fault: 'permissions',
    text: refused("cannot set blockOwnerDeletion (?:if an ownerReference refers to a resource you can't set finalizers on|in this case)"),
    why: 'an owner reference with blockOwnerDeletion needs the permission to update finalizers of the owner',
    try: "add update on RESOURCE/finalizers of the owner's kind to the role of the user (the plugin OwnerReferencesPermissionEnforcement, on in OpenShift)",
    command: ['kubectl', 'auth', 'can-i', 'update', 'RESOURCE.GROUP', '--subresource=finalizers', '--as', 'USER'],
  },
  {
    id: 'quota-unspecified',
    fault: null,
    text: refused('failed quota: (?<quota>[^:]*): must specify (?<missing>.*)'),
    why: 'the quota {quota} requires every container to specify {missing}',
    try: `set them, or a default in a LimitRange; ${askManifest}`,
    dependsOn: 'containers',
  },
  {
    id: 'quota',
    fault: null,
    text: refused('exceeded quota: (?<quota>[^,]*)(?:, requested: (?<requested>.*?), used: (?<used>.*?), limited: (?<limited>.*))?'),
    why: 'the quota {quota} of the namespace has no room for the object',
    try: 'ask for less, delete other objects, or raise the quota; pass the manifest with -f: what it does not ask for was added by a LimitRange or a mutating webhook',
    dependsOn: 'resources',
    command: ['kubectl', 'describe', 'resourcequota', '{quota}'],
  },
  {
    id: 'pod-security',
    fault: null,
    text: new RegExp(`(?:${forbidden}|^)violates PodSecurity "(?<level>[^"]*)": (?<violations>.*)`, 's'),
    why: 'the namespace enforces PodSecurity {level}, and the pod violates it: {violations}',
    try: `change the securityContext; ${askManifest}`,
    dependsOn: 'containers',
  },
  {
    id: 'pod-security-warning',
    fault: null,
    text: /^(?:Warning: )?would violate PodSecurity "(?<level>[^"]*)": (?<violations>.*)/s,
    why: 'a warning: a namespace that enforces PodSecurity {level} would refuse the pod: {violations}',
    try: `change the securityContext before the level is enforced; ${askManifest}`,
    dependsOn: 'containers',
  },
  {
    id: 'pod-security-warning',
    fault: null,
    text: /^(?:Warning: )?existing pods in namespace "(?<namespace>[^"]*)" violate the new PodSecurity enforce level "(?<level>[^"]*)"/,
    why: 'a warning: pods of {namespace} that run would be refused at the level {level} if they were created now',
    try: 'correct their workloads: the pods go on running, but are not replaced when they end',
    command: [
      'kubectl',
      'label',
      '--dry-run=server',
      '--overwrite',
      'namespace',
      '{namespace}',
      'pod-security.kubernetes.io/enforce=LEVEL',
    ],
  },
  {
    id: 'pod-security-policy',
    fault: null,
    text: refused('(?:PodSecurityPolicy: )?unable to validate against any (?<kind>pod security policy|security context constraint)'),
    why: 'no {kind} that the user and the ServiceAccount may use allows the pod',
    try: `change the pod, or grant a less strict one; ${askManifest}`,
    dependsOn: 'containers',
  },
  {
    id: 'limit-range',
    fault: null,
    text: refused(
      String.raw`\[?(?<violation>(?:maximum|minimum) \S+ usage per (?:Container|Pod|PersistentVolumeClaim) is .*|\S+ max limit to request ratio per .*)`,
    ),
    why: 'a LimitRange of the namespace forbids it: {violation}',
    try: `change requests and limits; ${askManifest}`,
    dependsOn: 'containers',
    command: ['kubectl', 'describe', 'limitrange'],
  },
  {
    id: 'namespace-terminating',
    fault: null,
    text: refused(String.raw`unable to create new content in namespace (?<namespace>\S+) because it is being terminated`),
    why: 'the namespace {namespace} is being deleted',
    try: 'wait for its end; if it never ends, its conditions show what hangs: finalizers, or an API service or a conversion webhook that is down',
    command: ['kubectl', 'get', 'namespace', '{namespace}', '-o', 'yaml'],
  },
  {
    id: 'service-account-missing',
    fault: null,
    text: refused(String.raw`error looking up service account (?<namespace>[^/\s]+)/(?<account>default): `),
    why: 'the namespace {namespace} has no ServiceAccount default: a controller creates it shortly after the namespace',
    try: 'repeat the call; if it stays, check kube-controller-manager',
    command: ['kubectl', 'get', 'serviceaccounts', '--namespace={namespace}'],
  },
  {
    id: 'service-account-missing',
    fault: null,
    text: refused(String.raw`error looking up service account (?<namespace>[^/\s]+)/(?<account>[^\s:]+): `),
    why: 'the ServiceAccount {account} does not exist in the namespace {namespace}',
    try: 'create it first, or correct spec.serviceAccountName',
    command: ['kubectl', 'get', 'serviceaccount', '{account}', '--namespace={namespace}'],
  },
  {
    id: 'priority-class-missing',
    fault: null,
    text: refused(String.raw`no PriorityClass with name (?<class>\S+) was found`),
    why: 'the PriorityClass {class} does not exist',
    try: 'create it, or correct spec.priorityClassName',
    command: ['kubectl', 'get', 'priorityclass'],
  },
  {
    id: 'not-ready-yet',
    fault: 'cluster',
    text: refused('not yet ready to handle request'),
    why: 'an admission plugin of the API server has not read what it needs yet: webhook configurations, namespaces or policies',
    try: 'wait some seconds and repeat; if it stays, its log shows what it cannot list',
    command: ['kubectl', 'get', '--raw', '/readyz?verbose'],
  },
  {
    id: 'namespace-protected',
    fault: 'manifest',
    text: refused('this namespace may not be deleted'),
    why: 'default, kube-system and kube-public cannot be deleted',
    try: 'delete what is in it instead',
  },
  {
    id: 'node-restriction',
    fault: 'permissions',
    text: refused('node "(?<node>[^"]*)" (?:is not allowed|cannot|can only)'),
    why: 'the kubelet of {node} may change only its own node and pods',
    try: 'check which credentials the caller uses: they are those of a node',
  },
  {
    id: 'forbidden',
    fault: null,
    isGeneral: true,
    text: /^(?<resource>\S+)(?: "(?<name>[^"]*)")? is forbidden: (?<detail>.+)/s,
    why: 'the API server refuses the call: {detail}',
    try: 'the text after "is forbidden" says why; this message names no webhook',
  },
];
