import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import type { ValueMap } from '../../../go/value.js';
import { stringAt } from '../../../go/value.js';
import { dns1123SubdomainProblems } from '../../../kubernetes/name-rules.js';
import { parseCertificate } from '../../../x509/certificate.js';
import type { PemBlock } from '../../../x509/pem.js';
import { readPem } from '../../../x509/pem.js';
import { checkSignerName } from '../../core/pod/validation/volume-projections.js';

const signerName = { type: 'certificates/v1beta1.ClusterTrustBundleSpec', name: 'signerName' };
const maxBundleSize = 1_048_576;

/** Validation of trust bundles; an unchanged bundle is not parsed again. Source: certificates/validation ValidateClusterTrustBundle. */
export const clusterTrustBundleRules: KindRules = {
  create: bundle => check(bundle, undefined),
  update: ['metadata', check, 'changes', (bundle, old) => checkImmutable(bundle.child('spec'), old.child('spec'), signerName)],
};

/** Checks the name, which starts with that of the signer. Source: validateClusterTrustBundleName. */
export function clusterTrustBundleNameProblems(name: string, bundle: ValueMap): string[] {
  const signer = stringAt(bundle, 'spec', 'signerName');
  if (signer === '')
    return name.includes(':') ? ['ClusterTrustBundle without signer name must not have ":" in its name'] : dns1123SubdomainProblems(name);
  const prefix = `${signer.replaceAll('/', ':')}:`;
  if (!name.startsWith(prefix)) return [`ClusterTrustBundle for signerName ${signer} must be named with prefix ${prefix}`];
  return dns1123SubdomainProblems(name.slice(prefix.length));
}

function check(object: FieldPath, old: FieldPath | undefined): void {
  const signer = object.child('spec', 'signerName');
  if (signer.text() !== '') checkSignerName(signer);
  const bundle = object.child('spec', 'trustBundle');
  if (old === undefined || old.child('spec', 'trustBundle').text() !== bundle.text()) checkBundle(bundle);
}

/** Source: validateTrustBundle. */
function checkBundle(bundle: FieldPath): void {
  const bytes = Buffer.from(bundle.text());
  if (bytes.length > maxBundleSize) {
    bundle.tooLong(maxBundleSize);
    return;
  }
  const refuse = (why: string): void => bundle.invalid('<value omitted>', why);
  const { blocks } = readPem(bytes.toString('latin1'));
  const problems = blocks.flatMap((block, i) => {
    const problem = anchorProblem(block);
    return problem === undefined ? [] : [`entry ${i} ${problem}`];
  });
  for (const problem of problems) refuse(problem);
  if (problems.length > 0) return;
  if (blocks.length === 0) refuse('at least one trust anchor must be provided');
  const indices = new Map<string, number[]>();
  for (const [i, block] of blocks.entries()) {
    const key = Buffer.from(block.bytes).toString('base64');
    indices.set(key, [...(indices.get(key) ?? []), i]);
  }
  for (const same of indices.values()) if (same.length > 1) refuse(`duplicate trust anchor (indices [${same.join(' ')}])`);
}

function anchorProblem({ type, bytes, hasHeaders }: PemBlock): string | undefined {
  if (type !== 'CERTIFICATE') return `has bad block type: ${type}`;
  if (hasHeaders) return 'has PEM block headers';
  const certificate = parseCertificate(bytes);
  if (typeof certificate === 'string') return 'does not parse as X.509';
  return certificate.basicConstraints?.isCA === true ? undefined : 'does not have the CA bit set';
}

/** ClusterTrustBundle. */
export const clusterTrustBundleKind: KindDefinition = {
  validation: clusterTrustBundleRules,
  hasGeneration: server => server.since('v1.38'),
  nameProblems: clusterTrustBundleNameProblems,
  allowsUnconditionalUpdate: false,
  fieldLabels: { fields: ['spec.signerName'] },
};
