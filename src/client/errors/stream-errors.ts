import type { KnownError } from './known-error.js';

const upgrade = '^(?:error: )?[Uu]nable to upgrade connection: ';

/** Errors of exec, attach, port-forward, logs and proxies. Source: apimachinery httpstream, apiserver proxy, kubelet server. */
export const streamErrors: readonly KnownError[] = [
  {
    id: 'kubelet-forbidden',
    fault: 'permissions',
    text: new RegExp(
      `${upgrade}Forbidden \\(user=(?<user>[^,]*), verb=(?<verb>[^,]*), resource=nodes, subresource=(?<subresource>[^)]*)\\)`,
    ),
    why: "the kubelet refuses the API server's own user {user}: it may not {verb} nodes/{subresource}",
    try: 'bind the ClusterRole system:kubelet-api-admin to {user}',
    command: ['kubectl', 'auth', 'can-i', '{verb}', 'nodes', '--subresource={subresource}', '--as', '{user}'],
  },
  {
    id: 'kubelet-unauthorized',
    fault: 'cluster',
    text: new RegExp(`${upgrade}Unauthorized`),
    why: 'the kubelet does not accept the credentials of the API server; those of the client are not involved',
    try: "set --kubelet-client-certificate and --kubelet-client-key of the API server to a certificate that the kubelet's client CA signed",
    command: ['kubectl', 'get', '--raw', '/api/v1/nodes/NODE/proxy/healthz'],
  },
  {
    id: 'container-not-running',
    fault: null,
    text: new RegExp(`${upgrade}(?:container not found \\("(?<container>[^"]*)"\\)|pod does not exist)`),
    why: 'the container {container} is not running',
    try: 'wait until it runs; its last state and the log of the previous container show why it ended',
    command: ['kubectl', 'describe', 'pod', 'NAME'],
  },
  {
    id: 'kubelet-unreachable',
    fault: 'cluster',
    text: /^(?:(?:error: )?[Uu]nable to upgrade connection: )?error dialing backend: (?<error>.+)/s,
    why: 'the API server cannot connect to the kubelet of the node, which logs, exec and port-forward need: {error}',
    try: 'check the port 10250 of the node, its serving certificate, and the agents of the tunnel (konnectivity); no admission webhook is called over this connection',
    command: ['kubectl', 'get', '--raw', '/api/v1/nodes/NODE/proxy/healthz'],
  },
  {
    id: 'kubelet-unreachable',
    fault: 'cluster',
    text: /^Get "https?:\/\/[^/"]+:10250\/[^"]*": (?<error>.+)/s,
    why: 'the kubelet cannot be reached at its port 10250: {error}',
    try: 'check the node, its firewall and its serving certificate',
    command: ['kubectl', 'get', '--raw', '/api/v1/nodes/NODE/proxy/healthz'],
  },
  {
    id: 'kubelet-certificate-missing',
    fault: 'cluster',
    text: /^(?:http: )?TLS handshake error from \S+: no serving certificate available for the kubelet/,
    why: 'a line of the log of a kubelet: it has no serving certificate, so logs, exec and port-forward to its node fail',
    try: 'approve its CertificateSigningRequest, or find why nothing approves it',
    command: ['kubectl', 'get', 'certificatesigningrequests'],
  },
  {
    id: 'upgrade-missing',
    fault: null,
    text: /^(?:(?:error: )?[Uu]nable to upgrade connection: )?(?:[Uu]pgrade request required|unable to upgrade: missing upgrade headers)/,
    why: 'a request for a stream (exec, attach, port-forward) arrived without its Upgrade header: a proxy or load balancer in between removed it',
    try: 'let the proxy pass Upgrade and Connection (WebSocket, SPDY), or connect to the API server directly',
    command: ['kubectl', 'exec', 'POD', '-v=8', '--', 'true'],
  },
  {
    id: 'proxied-service',
    fault: null,
    text: /^error trying to reach service: (?<error>.+)/s,
    why: "the API server's proxy to services and pods did not reach its target: {error}",
    try: 'check the pods of the service and the port in the path; admission webhooks are called in another way, but over the same network',
    command: ['kubectl', 'get', 'endpointslices', '--all-namespaces'],
  },
  {
    id: 'upgrade-refused',
    fault: null,
    isGeneral: true,
    text: new RegExp(`${upgrade}(?<error>.*)`, 's'),
    why: 'a stream (exec, attach, port-forward) was not opened: {error}',
    try: 'check proxies between the client, the API server and the kubelet; an admission webhook would be named',
    command: ['kubectl', 'exec', 'POD', '-v=8', '--', 'true'],
  },
];
