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
    why: 'kubectl found no kubeconfig, or none with a context for a cluster, so it tried {host}',
    try: 'set KUBECONFIG or --kubeconfig to a file that exists, and choose a context',
    command: ['kubectl', 'config', 'view'],
  },
  {
    id: 'no-kubeconfig',
    fault: 'configuration',
    text: /^(?:Get|Post|Put|Patch|Delete|List) "https?:\/\/(?<host>localhost(?::80|:8080)?)\/(?:apis?|openapi|version)\b[^"]*": /,
    why: 'the client found no kubeconfig or address of a cluster, so it tried {host}',
    try: 'set KUBECONFIG, or the host and credentials of the provider (Terraform, Helm), to a cluster that exists',
    command: ['kubectl', 'config', 'view'],
  },
  {
    id: 'credential-plugin',
    fault: 'configuration',
    text: /^(?:Unable to connect to the server: )?(?:getting credentials: (?<error>.+)|exec plugin: (?<plugin>.+))/s,
    why: 'the program that the kubeconfig names for credentials fails: {error}{plugin}',
    try: 'install or update it, or write the kubeconfig again with the tool of the provider',
    command: ['kubectl', 'config', 'view'],
  },
  {
    id: 'no-context',
    fault: 'configuration',
    text: /^(?:no context exists with the name: |context was not found for specified context: |context )"?(?<context>[^"]+)"?(?: does not exist)?$/,
    why: 'the kubeconfig has no context {context}',
    try: 'choose one that exists, or set KUBECONFIG to the right file',
    command: ['kubectl', 'config', 'get-contexts'],
  },
  {
    id: 'api-server-refused',
    fault: null,
    text: /^The connection to the server (?<host>\S+) was refused/,
    why: 'no API server listens at {host}',
    try: 'start the cluster, or correct the address in the kubeconfig: it may be of a cluster that is gone',
    command: ['kubectl', 'cluster-info'],
  },
  {
    id: 'api-server-certificate-expired',
    fault: 'certificate',
    text: connecting('(?:tls: failed to verify certificate: )?x509: (?<error>certificate has expired or is not yet valid.*)'),
    why: 'the certificate of the API server, or of the CA in the kubeconfig, is not valid now: {error}',
    try: 'renew the certificates of the control plane (kubeadm certs renew), and compare the clocks; caBundles of webhooks are not involved',
    command: ['kubeadm', 'certs', 'check-expiration'],
  },
  {
    id: 'api-server-certificate',
    fault: null,
    text: connecting(
      '(?:tls: failed to verify certificate: )?x509: (?<error>certificate is (?:not )?valid for .*|cannot validate certificate for .*)',
    ),
    why: 'the certificate of the API server does not have the address that the client uses: {error}',
    try: 'use an address in the certificate, or add this one to it (kubeadm: apiServer.certSANs); caBundles of webhooks are not involved',
    command: ['kubectl', 'config', 'view'],
  },
  {
    id: 'api-server-certificate',
    fault: null,
    text: /^Unable to connect to the server: (?:tls: failed to verify certificate: )?x509: (?<error>.*)/s,
    why: 'the kubeconfig does not have the CA that signed the certificate at this address (a new cluster, or a proxy that intercepts TLS): {error}',
    try: 'write the kubeconfig again, or correct its certificate-authority-data; with such a proxy, exclude the address; caBundles of webhooks are not involved',
    command: ['kubectl', 'config', 'view'],
  },
  {
    id: 'api-server-certificate',
    fault: null,
    text: connecting('(?:tls: failed to verify certificate: )?x509: (?<error>.*)'),
    why: 'the client does not trust the certificate of the API server: {error}',
    try: "correct certificate-authority-data of the kubeconfig, or the ca.crt of a program's ServiceAccount; caBundles of webhooks are not involved",
    command: ['kubectl', 'config', 'view'],
  },
  {
    id: 'api-server-slow',
    fault: null,
    text: new RegExp(
      prefixed.replace('Get|Post|Put|Patch|Delete|List|Head', 'Post|Put|Patch|Delete') +
        String.raw`(?<error>context deadline exceeded|net\/http: request canceled(?! while waiting for connection))`,
      's',
    ),
    why: 'the API server did not answer a write in time, or cannot be reached: {error}',
    try: 'check whether reads work (kubectl get --raw /readyz); if they do, webhooks that are slow, or its store, take the time',
    command: ['kubectl', 'get', '--raw', '/readyz?verbose'],
  },
  {
    id: 'api-server-slow',
    fault: null,
    text: connecting(String.raw`(?<error>context deadline exceeded|net\/http: request canceled(?! while waiting for connection))`),
    why: 'the API server did not answer in time, or cannot be reached: {error}',
    try: 'check the health of the API server and its store, and the network in between; reads call no admission webhook',
    command: ['kubectl', 'get', '--raw', '/readyz?verbose'],
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
    id: 'unsupported-media-type',
    fault: null,
    text: /^the body of the request was in an unknown format - accepted media types include: (?<types>(?!.*strategic-merge-patch)\S.*json-patch.*)/s,
    why: 'the type of the patch is not accepted: custom resources have no strategic merge patch, which some clients send by default',
    try: 'use a merge patch or a JSON patch (kubectl patch --type=merge or --type=json), or apply',
  },
  {
    id: 'unsupported-media-type',
    fault: null,
    text: /^(?:the body of the request was in an unknown format - accepted media types include: |415: Unsupported Media Type)/,
    why: 'the server does not accept the Content-Type of the request; an extension API server may not support server-side apply',
    try: 'send one of the types that it accepts; check which server serves the resource',
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
    id: 'request-rejected',
    fault: null,
    isGeneral: true,
    text: /^(?:The request is invalid: )?the server rejected our request (?:due to an error in our request|for an unknown reason)/,
    why: 'the API server rejects the request, without saying what is wrong with it; a JSON patch whose path does not exist is answered so',
    try: 'check the paths of the patch against the stored object, and pass the whole line if it is about a webhook',
  },
  {
    id: 'patch-of-caller',
    fault: null,
    text: /^(?:jsonpatch )?(?:add|copy|move|remove|replace|test) operation does not apply: doc is missing key: \/?(?<path>\S+)/,
    why: 'a JSON patch refers to {path}, which the object does not have; without the name of a webhook it is the patch of the caller',
    try: 'use add in place of replace, and add missing parents first',
  },
  {
    id: 'response-timeout',
    fault: null,
    isGeneral: true,
    text: /^the server was unable to return a response in the time allotted/,
    why: 'the API server did not finish the call in time: webhooks together took too long, or the store or a proxy is slow',
    try: 'look for slow webhooks in the log of the API server (Trace lines), and reduce timeoutSeconds',
  },
  {
    id: 'watch-ended',
    fault: null,
    isGeneral: true,
    text: /^(?:Unexpected EOF during watch stream event decoding|watch of \S+ ended with: |very short watch: |unable to decode an event from the watch stream)/,
    why: 'a watch ended; clients start it again, and nothing is lost',
    try: 'nothing; if it happens all the time, check proxies between the client and the API server',
    command: ['kubectl', 'get', '--raw', '/readyz?verbose'],
  },
  {
    id: 'rollout-stuck',
    fault: null,
    isGeneral: true,
    text: /^(?<kind>deployment|statefulset|daemonset) "(?<name>[^"]*)" exceeded its progress deadline/,
    why: 'the pods of {name} did not become ready in time; the text does not tell why',
    try: 'look at the events of its ReplicaSet: a webhook that refuses pods is shown there as FailedCreate',
    command: ['kubectl', 'describe', 'replicasets'],
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
