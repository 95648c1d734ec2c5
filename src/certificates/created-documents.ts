import { createHash } from 'node:crypto';
import { escapedYaml, writeYaml } from '../encoding/yaml-writer.js';
import { toValue } from '../go/value.js';
import { oneLine } from '../writers/printable.js';
import { describeName } from '../x509/distinguished-name.js';
import type { Created } from './create-certificates.js';
import type { Issued } from './issue.js';
import { describeKey } from './key-types.js';
import { servingNamesOf } from './serving-names.js';

/** Name and namespace of objects in a cluster. */
export interface InCluster {
  /** Undefined if kubectl decides. */
  readonly namespace: string | undefined;
}

/** Secret that kubebuilder's manifests mount. */
const secretName = 'webhook-server-cert';

/** Returns a summary for people: actions, names and next steps. `folder` as the user gave it. */
export function createdText({ authority, serving, reason, current, backups, notes }: Created, folder: string): string {
  const names = servingNamesOf(current.serving.certificate);
  const lines = [
    `CA                   ${authority}: ${describe(current.authority)}`,
    `serving certificate  ${serving}${reason === undefined ? '' : ` (${reason})`}: ${describe(current.serving)}`,
    `names                ${[...names.dns, ...names.ips].join(', ')}`,
    `files                ${folder}/tls.crt, tls.key, ca.crt, ca.key`,
    ...backups.map(backup => `copy                 ${folder}/${backup}`),
    ...notes.map(note => `note                 ${note}`),
  ];
  return lines.map(line => `${oneLine(line)}\n`).join('');
}

/** Returns a summary for scripts, without private keys. */
export function createdJson({ authority, serving, reason, current, atOnce, backups, notes }: Created, folder: string): string {
  const document = {
    apiVersion: 'webhook-cli.dev/v1alpha1',
    kind: 'Certificates',
    folder,
    authority: { action: authority, ...facts(current.authority) },
    serving: { action: serving, reason: reason ?? null, ...facts(current.serving), names: servingNamesOf(current.serving.certificate) },
    caBundle: Buffer.from(current.bundle).toString('base64'),
    atOnce,
    backups,
    notes,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Returns a Secret for a webhook server, without the authority's key. */
export function createdSecret({ files }: Created, { namespace }: InCluster): string {
  const data = Object.fromEntries(
    (['ca.crt', 'tls.crt', 'tls.key'] as const).map(name => [name, Buffer.from(files[name]).toString('base64')]),
  );
  return writeYaml(
    toValue({ apiVersion: 'v1', kind: 'Secret', metadata: { name: secretName, namespace }, type: 'kubernetes.io/tls', data }),
  );
}

/** Returns a kustomization that generates the Secret from the files. */
export function createdKustomization(folder: string, { namespace }: InCluster): string {
  const files = ['ca.crt', 'tls.crt', 'tls.key'].map(name => `${folder}/${name}`);
  const generator = { name: secretName, namespace, type: 'kubernetes.io/tls', files, options: { disableNameSuffixHash: true } };
  return writeYaml(toValue({ apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', secretGenerator: [generator] }));
}

/** Returns cert-manager objects that create equal certificates in a cluster and inject them into webhook configurations. */
export function createdForCertManager({ current }: Created, { namespace }: InCluster): string {
  const { certificate, key } = current.serving;
  const names = servingNamesOf(certificate);
  const hours = Math.round((certificate.notAfter.milliseconds - certificate.notBefore.milliseconds) / 3_600_000);
  const issuer = {
    apiVersion: 'cert-manager.io/v1',
    kind: 'Issuer',
    metadata: { name: 'webhook-selfsigned', namespace },
    spec: { selfSigned: {} },
  };
  const spec = {
    secretName,
    duration: `${hours}h`,
    dnsNames: names.dns,
    ipAddresses: names.ips,
    usages: ['digital signature', 'server auth'],
    privateKey: certManagerKey(describeKey(key)),
    issuerRef: { kind: 'Issuer', name: 'webhook-selfsigned' },
  };
  const requested = { apiVersion: 'cert-manager.io/v1', kind: 'Certificate', metadata: { name: 'webhook-serving-cert', namespace }, spec };
  const annotation = `cert-manager.io/inject-ca-from: ${namespace ?? 'NAMESPACE'}/webhook-serving-cert`;
  return `# Annotate the webhook configurations: ${escapedYaml(annotation)}\n${writeYaml(toValue(issuer))}---\n${writeYaml(toValue(requested))}`;
}

function certManagerKey(type: string): object {
  const [kind = '', size = ''] = type.split('-');
  if (kind === 'rsa') return { algorithm: 'RSA', size: Number(size) };
  return kind === 'ecdsa' ? { algorithm: 'ECDSA', size: Number(size.slice(1)) } : { algorithm: 'Ed25519' };
}

function describe({ certificate, key }: Issued): string {
  return `${describeName(certificate.subject)}, ${describeKey(key)}, until ${certificate.notAfter.text.slice(0, 10)}`;
}

function facts({ certificate, key }: Issued): object {
  return {
    subject: describeName(certificate.subject),
    keyType: describeKey(key),
    notBefore: certificate.notBefore.text,
    notAfter: certificate.notAfter.text,
    sha256: createHash('sha256').update(certificate.raw).digest('hex'),
  };
}
