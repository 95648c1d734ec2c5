import type { KnownError } from './known-error.js';

const prefixed = String.raw`^(?:Unable to connect to the server: |(?:couldn't get current server API group list: )?(?:Get|Post|Put|Patch|Delete|List|Head) "https?:\/\/(?<host>[^/"]+)\/(?:apis?|openapi|version|healthz|readyz)\b[^"]*": )`;

function connecting(detail: string): RegExp {
  return new RegExp(prefixed + detail, 's');
}

/** Errors between a client and the API server: no webhook is involved. Source: kubectl cmd/util/helpers.go, client-go rest. */
export const connectionErrors: readonly KnownError[] = [
  {
    id: 'no-kubeconfig',
    fault: 'configuration',
    text: /^The connection to the server (?<host>(?:localhost|127\.0\.0\.1):8080) was refused/,
    why: 'kubectl found no kubeconfig, so it tried {host}',
    try: 'set KUBECONFIG or --kubeconfig to a file that exists, and choose a context',
    command: ['kubectl', 'config', 'view'],
  },
  {
    id: 'api-server-refused',
    fault: 'cluster',
    text: /^The connection to the server (?<host>\S+) was refused/,
    why: 'no API server listens at {host}',
    try: 'check whether the cluster is running, and the address in the kubeconfig',
    command: ['kubectl', 'cluster-info'],
  },
  {
    id: 'api-server-certificate',
    fault: 'configuration',
    text: connecting('(?:tls: failed to verify certificate: )?x509: (?<error>.*)'),
    why: 'the client does not accept the certificate of the API server: {error}',
    try: 'correct certificate-authority-data, the address, or the certificates in the kubeconfig; caBundles of webhooks are not involved',
    command: ['kubectl', 'config', 'view'],
  },
  {
    id: 'api-server-unreachable',
    fault: null,
    text: connecting('(?<error>.+)'),
    why: 'the client cannot reach the API server: {error}',
    try: 'check the address in the kubeconfig, VPN, proxy and firewall, and whether the cluster is running; no webhook is involved',
    command: ['kubectl', 'cluster-info'],
  },
  {
    id: 'unauthorized',
    fault: 'permissions',
    text: /^(?:You must be logged in to the server(?: \((?:Unauthorized|the server has asked for the client to provide credentials)\))?|Unauthorized$|the server has asked for the client to provide credentials)/,
    why: 'the API server does not accept the credentials of the client: the token or certificate is missing, expired or of another cluster',
    try: 'log in again, or renew the credentials in the kubeconfig',
    command: ['kubectl', 'auth', 'whoami'],
  },
];

/** Errors that say little without the call that failed. */
export const generalErrors: readonly KnownError[] = [
  {
    id: 'server-unavailable',
    fault: null,
    isGeneral: true,
    text: /^the server is currently unable to handle the request/,
    why: 'a server responded with 503: an API service of another server, such as metrics, or the API server itself',
    try: 'check API services that are not available; pass the whole line if it is about a webhook',
    command: ['kubectl', 'get', 'apiservices'],
  },
  {
    id: 'server-error',
    fault: null,
    isGeneral: true,
    text: /^an error on the server \("(?<body>.*?)"\) has prevented the request from succeeding/s,
    why: 'a server, or a proxy in front of it, responded with an error that is not a Status: {body}',
    try: 'pass the whole line, with the call that failed',
  },
  {
    id: 'client-timeout',
    fault: null,
    isGeneral: true,
    text: /^(?:timed out waiting for the condition|context deadline exceeded$|context canceled$|net\/http: request canceled|Timeout: )/,
    why: 'a client stopped waiting; the text does not tell what for',
    try: 'look at the conditions and events of the object, and pass what they say',
    command: ['kubectl', 'describe', 'KIND', 'NAME'],
  },
];

/** Errors of the manifest before it reaches the API server, and of its decoding. */
export const manifestErrors: readonly KnownError[] = [
  {
    id: 'invalid-yaml',
    fault: 'manifest',
    text: /^(?:error parsing (?<file>\S+): )?error converting YAML to JSON: (?<error>.*)/s,
    why: 'the manifest is not valid YAML: {error}',
    try: 'correct the line; the count starts at the beginning of its document',
  },
  {
    id: 'unknown-fields',
    fault: 'manifest',
    text: /^(?:error validating .*?: )?(?:error validating data: )?(?:\S+ in version "[^"]*" cannot be handled as an? \S+: )?(?:strict decoding error: |ValidationError\((?<path>[^)]*)\): )(?:unknown field "(?<field>[^"]*)"|.*)/s,
    why: 'the manifest has a field that its kind does not have, or twice',
    try: 'correct the fields in the message, or the apiVersion',
  },
  {
    id: 'undecodable',
    fault: 'manifest',
    text: /^(?:error validating .*?: )?(?:\S+ in version "[^"]*" cannot be handled as an? \S+: |error (?:unable to )?decod(?:e|ing) )(?<error>.*)/s,
    why: 'the manifest cannot be decoded as its kind: {error}',
    try: 'correct the type of the value in the message',
  },
  {
    id: 'policy-warned',
    fault: 'manifest',
    text: /^(?:Warning: )?Validation failed for ValidatingAdmissionPolicy '(?<policy>[^']*)' with binding '(?<binding>[^']*)': (?<said>.*)/s,
    why: 'a validation of the policy {policy} failed, and its binding only warns: {said}',
    try: 'change the manifest as the message says',
  },
  {
    id: 'conversion-bundle',
    fault: 'configuration',
    text: /^(?:The )?conversion webhook CABundle is invalid/i,
    why: 'the caBundle of the conversion webhook cannot be used, so the definition is not established and its kind is not served',
    try: 'inject a PEM bundle (webhook-cli certs inject), or leave caBundle empty until a tool writes it',
    command: ['webhook-cli', 'lint', '-f', 'DEFINITION.yaml'],
  },
  {
    id: 'apply-needs-annotation',
    fault: null,
    text: /^(?:Warning: )?resource (?<resource>\S+) is missing the kubectl\.kubernetes\.io\/last-applied-configuration annotation/,
    why: 'the object was not created with kubectl apply: this is a warning, and the annotation is added',
    try: 'nothing to do, or use kubectl apply --server-side',
  },
  {
    id: 'helm-ownership',
    fault: null,
    text: /^(?:rendered manifests contain a resource that already exists\. Unable to continue with (?:install|update): )?(?<kind>\S+) "(?<name>[^"]*)" in namespace "(?<namespace>[^"]*)" exists and cannot be imported into the current release: invalid ownership metadata/s,
    why: '{kind} {name} exists, and does not belong to this Helm release',
    try: 'delete it, or give it the label app.kubernetes.io/managed-by: Helm and the annotations meta.helm.sh/release-name and release-namespace (helm install --take-ownership)',
    command: ['kubectl', 'get', '{kind}', '{name}', '--namespace={namespace}', '-o', 'yaml'],
  },
  {
    id: 'helm-locked',
    fault: null,
    text: /^another operation \(install\/upgrade\/rollback\) is in progress/,
    why: 'an earlier operation of this Helm release has not ended, or was interrupted',
    try: 'wait, or roll back to the last revision that was deployed: helm rollback',
    command: ['helm', 'history', 'RELEASE'],
  },
];
