import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../src/cli/commands/diagnose/run-diagnose.js';

const call = 'Internal error occurred: failed calling webhook "guard.example.com": failed to call webhook: ';
const post = `${call}Post "https://guard.shop.svc:443/validate?timeout=10s": `;

describe('the cause, the component at fault and the class of an error', () => {
  it.each([
    [`${post}dial tcp 10.0.0.1:443: connect: connection refused`, 'connection-refused', 'tcp', null],
    [`${post}dial tcp 10.0.0.1:443: connect: network is unreachable`, 'no-route', 'tcp', 'network'],
    [`${post}dial tcp 10.0.0.1:443: i/o timeout`, 'connect-timeout', 'time', 'network'],
    [`${post}dial tcp: lookup guard.shop.svc on 10.0.0.10:53: no such host`, 'unknown-host', 'dns', null],
    [`${post}dial tcp: lookup hooks.example.com: no such host`, 'unknown-host', 'dns', null],
    [`${post}dial tcp: lookup guard.shop.svc: i/o timeout`, 'resolver-unreachable', 'dns', 'network'],
    [`${post}proxyconnect tcp: dial tcp 10.0.0.9:3128: connect: connection refused`, 'proxy', 'tcp', 'network'],
    [`${post}service "guard" not found`, 'unknown-service', 'dns', 'configuration'],
    [`${post}no endpoints available for service "guard"`, 'no-endpoints', 'dns', 'webhook'],
    [`${post}context deadline exceeded`, 'deadline', 'time', null],
    [
      `${post}net/http: request canceled while waiting for connection (Client.Timeout exceeded while awaiting headers)`,
      'connection-deadline',
      'time',
      null,
    ],
    [`${post}Service Unavailable`, 'proxy-status', 'tcp', 'network'],
    [`${post}No agent available`, 'egress-proxy', 'tcp', 'network'],
    [`${post}EOF`, 'connection-closed', 'tcp', null],
    [
      `${post}tls: failed to verify certificate: x509: certificate is valid for a.example.com, not guard.shop.svc`,
      'other-name',
      'tls',
      null,
    ],
    [
      `${post}tls: failed to verify certificate: x509: certificate signed by unknown authority (possibly because of "x509: ECDSA verification failure" while trying to verify candidate authority certificate "ca")`,
      'authority-made-anew',
      'tls',
      'certificate',
    ],
    [`${post}remote error: tls: bad certificate`, 'client-certificate-wanted', 'tls', 'configuration'],
    [`${post}something Go never said before`, 'other-tcp', 'tcp', null],
    [`${call}the server could not find the requested resource`, 'http-404', 'http', null],
    [call.trim(), 'other-http', 'http', 'webhook'],
    [post.trim(), 'cut-off', null, null],
    [`${call}whatever the webhook wrote into its 403`, 'other-http', 'http', 'webhook'],
    [
      `${call}unexpected error when reading response body. Please retry. Original error: unexpected EOF`,
      'answer-broke-off',
      'body',
      'webhook',
    ],
    [
      'Internal error occurred: failed calling webhook "guard.example.com": could not get REST client: unable to load root certificates: unable to parse bytes as PEM block',
      'unusable-bundle',
      'tls',
      'configuration',
    ],
    ['Internal error occurred: testing value /data/k failed: test failed', 'patch-test', 'patch', 'webhook'],
    [`Internal error occurred: Object 'Kind' is missing in '{"kind":""}'`, 'patched-kind', 'patch', 'webhook'],
    ['admission webhook "guard.example.com" denied the request: no root', 'denied', null, 'manifest'],
    ['admission webhook "guard.example.com" denied the request without explanation', 'denied-without-words', null, 'webhook'],
    ['admission webhook "guard.example.com" does not support dry run', 'dry-run', null, 'configuration'],
    ['pods "a" is forbidden: expression \'object.spec.x == 1\' resulted in error: no such key: x', 'condition', null, 'configuration'],
    ['pods "a" is forbidden: exceeded quota: q', 'quota', null, null],
    [
      'ValidatingWebhookConfiguration.admissionregistration.k8s.io "v" is invalid: webhooks[0].sideEffects: Required value',
      'invalid-configuration',
      null,
      'configuration',
    ],
    ['http: TLS handshake error from 10.0.0.1:41234: EOF', 'handshake-left', null, null],
    [
      'http: TLS handshake error from 10.0.0.1:41234: tls: first record does not look like a TLS handshake',
      'handshake-without-tls',
      null,
      null,
    ],
    ['http: TLS handshake error from 10.0.0.1:41234: remote error: tls: bad certificate', 'handshake-refused-by-client', null, null],
    ['x509: certificate signed by unknown authority', 'unknown-authority', 'tls', null],
  ])('%s', (text, cause, failureClass, fault) => {
    expect(diagnose(text)).toEqual([expect.objectContaining({ message: text, cause, class: failureClass, fault })]);
  });

  it('is explained with values from the text', () => {
    const [found] = diagnose('dial tcp 10.0.0.1:443: connect: connection refused');
    expect(found?.why).toBe('nothing listens at 10.0.0.1:443');
  });
});

describe('a text broken into lines', () => {
  it('is joined as a shell continues it, within quotes', () => {
    const [found] = diagnose(
      `Internal error occurred: failed calling webhook \\\n   "guard.example.com": failed to call webhook: Post \\\n   "https://guard.shop.svc:443/validate?timeout=10s": dial tcp 10.0.0.1:443: i/o \\\n   timeout`,
    );
    expect(found).toMatchObject({ cause: 'connect-timeout', message: `${post}dial tcp 10.0.0.1:443: i/o timeout` });
  });
});

describe('an unknown authority', () => {
  it.each([
    `${post}tls: failed to verify certificate: x509: certificate signed by unknown authority`,
    'conversion webhook for example.com/v1, Kind=A failed: Post "https://c.shop.svc:8443/c?timeout=30s": tls: failed to verify certificate: x509: certificate signed by unknown authority',
  ])("is perhaps cert-manager's: %s", text => {
    expect(diagnose(text)[0]?.try).toContain('cert-manager.io/inject-ca-from');
  });
});

describe('the command that reproduces it', () => {
  it.each([
    [
      `Error from server (InternalError): error when creating "a b.yaml": ${post}EOF`,
      "webhook-cli review -f 'a b.yaml' --state CONFIGURATION.yaml --webhook guard.example.com --service shop/guard=https://127.0.0.1:8443",
    ],
    [
      `Error from server (InternalError): error when replacing "a.yaml": ${call}Post "https://127.0.0.1:8443/w?timeout=3s": EOF`,
      'webhook-cli review -f a.yaml --operation update --url https://127.0.0.1:8443/w --phase both --timeout 3s',
    ],
    [
      'Error from server: error when creating "a.yaml": admission webhook "guard.example.com" does not support dry run',
      'webhook-cli review -f a.yaml --dry-run server --state CONFIGURATION.yaml --webhook guard.example.com',
    ],
    [
      'conversion webhook for example.com/v1, Kind=A failed: Post "https://convert.shop.svc:8443/c?timeout=30s": EOF',
      'webhook-cli convert -f OBJECT.yaml --to all --state DEFINITION.yaml --service shop/convert=https://127.0.0.1:8443',
    ],
    ['The Pod "a" is invalid: spec.x: Required value', 'webhook-cli review -f MANIFEST.yaml --state STATE.yaml'],
    [
      'Internal error occurred: failed calling webhook "$(id).example.com": received invalid webhook response: webhook response was absent',
      "webhook-cli review -f MANIFEST.yaml --state CONFIGURATION.yaml --webhook '$(id).example.com'",
    ],
    ['error: error parsing a.yaml: error converting YAML to JSON: yaml: line 3: x', 'webhook-cli review -f a.yaml --state STATE.yaml'],
    [
      'for: "b.yaml": error when patching "b.yaml": CustomResourceDefinition.apiextensions.k8s.io "a" is invalid: spec.names.kind: Required value',
      'webhook-cli lint -f b.yaml',
    ],
    [
      'a.example.com is forbidden: User "u" cannot create resource "widgets/status" in API group "example.com" in the namespace "n"',
      'kubectl auth can-i create widgets.example.com --subresource=status --as u --namespace=n',
    ],
    ['http: TLS handshake error from 10.0.0.1:1: remote error: tls: bad certificate', 'webhook-cli certs verify -f CONFIGURATION.yaml'],
    ['http: TLS handshake error from 10.0.0.1:1: EOF', 'kubectl get pods --all-namespaces -o wide'],
  ])('%s', (text, command) => {
    expect(diagnose(text)[0]?.reproduce.command).toBe(command);
  });

  it('names all field managers of a conflict, and the one that owns caBundle', () => {
    const conflict =
      'Apply failed with 2 conflicts: conflicts with "kubectl" using v1: .spec.a\nconflicts with "cainjector" using v1: .webhooks[name="a"].clientConfig';
    expect(diagnose(`${conflict}.url`)[0]?.why).toBe(
      'other field managers, kubectl and cainjector, own fields that the manifest sets to other values',
    );
    expect(diagnose(`${conflict}.caBundle`)[0]?.why).toMatch(/^the field manager cainjector owns caBundle/);
  });

  it('explains how to get files that the text does not name', () => {
    expect(diagnose(`${post}EOF`)[0]?.reproduce.files.map(({ name }) => name)).toEqual(['MANIFEST.yaml', 'CONFIGURATION.yaml']);
  });
});

describe('a paste of several lines', () => {
  it('is parsed, without lines that are not errors', () => {
    const paste = [
      'configmap/a created',
      `W1121 12:00:00.1 1 dispatcher.go:225] Failed calling webhook, failing open a.example.com: failed calling webhook "a.example.com": failed to call webhook: Post "https://127.0.0.1:1/?timeout=1s": EOF`,
      `E1121 12:00:00.1 1 dispatcher.go:214] "Unhandled Error" err="failed calling webhook \\"b.example.com\\": received invalid webhook response: webhook response was absent"`,
      `Error from server: ${post}EOF`,
      `Error from server: ${post}EOF`,
    ].join('\n');
    expect(diagnose(paste).map(({ webhook, cause }) => [webhook, cause])).toEqual([
      ['a.example.com', 'connection-closed'],
      ['b.example.com', 'no-response'],
      ['guard.example.com', 'connection-closed'],
    ]);
  });

  it('that a terminal broke is put together', () => {
    expect(
      diagnose('Internal error occurred: failed calling\nwebhook "a.example.com": failed to call webhook: the server\nreported a conflict'),
    ).toEqual([expect.objectContaining({ cause: 'http-status', webhook: 'a.example.com' })]);
  });
});

it.each(['hello world', 'cat > a.yaml <<EOF\nkind: Pod\nEOF', '{"kind":"Pod"}', '{', 'yaml: line 3: mapping values are not allowed'])(
  'ignores %s',
  text => {
    expect(diagnose(text)).toEqual([]);
  },
);
