import type { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';
import { internalValue } from '../../../../apiserver/registry/validation/go-value.js';
import { checkLabelSelector, checkNonReservedPath, checkRequired } from '../../../../apiserver/registry/validation/rules.js';
import { quote } from '../../../../go/quote.js';
import { dns1123LabelProblems, dns1123SubdomainProblems } from '../../../../kubernetes/name-rules.js';
import { checkDownwardFile, checkKeyToPath } from './volume-files.js';

/** Records the paths of a volume's files and adds an error for a duplicate. */
type TakePath = (path: string, shown?: string) => void;

/** Validates the sources of a projected volume; conflicts are reported for the volume. Source: validateProjectionSources. */
export function checkProjectedSources(volume: FieldPath): void {
  const taken = new Set<string>();
  const take: TakePath = (path, shown = path) => {
    if (taken.has(path)) volume.invalid(shown, 'conflicting duplicate paths');
    taken.add(path);
  };
  for (const source of volume.items('sources')) {
    const given = projections.filter(([kind]) => source.has(kind));
    for (const [kind, check] of given) check(source.child(kind), take, volume);
    if (given.length > 1) source.forbidden('may not specify more than 1 volume type per source');
  }
}

type CheckProjection = (projection: FieldPath, take: TakePath, volume: FieldPath) => void;

const projections: readonly (readonly [string, CheckProjection])[] = [
  ['secret', checkKeyed],
  ['configMap', checkKeyed],
  ['downwardAPI', checkDownward],
  ['serviceAccountToken', checkToken],
  ['clusterTrustBundle', checkTrustBundle],
  ['podCertificate', checkPodCertificate],
];

function checkKeyed(projection: FieldPath, take: TakePath): void {
  checkRequired(projection, 'name');
  for (const item of projection.child('items').items()) {
    checkKeyToPath(item);
    if (item.text('path') !== '') take(item.text('path'), projection.text('name'));
  }
}

function checkDownward(projection: FieldPath, take: TakePath): void {
  for (const item of projection.child('items').items()) {
    checkDownwardFile(item.shownAt(projection.path));
    if (item.text('path') !== '') take(item.text('path'));
  }
}

function checkToken(token: FieldPath, _take: TakePath, volume: FieldPath): void {
  const expiration = token.child('expirationSeconds');
  if (expiration.number() < 600n) expiration.invalid(expiration.number(), 'may not specify a duration less than 10 minutes');
  if (expiration.number() > 1n << 32n) expiration.invalid('may not specify a duration larger than 2^32 seconds');
  const path = token.child('path').shownAt(`${volume.path}.path`);
  if (path.text() === '') path.required();
  else checkNonReservedPath(path);
}

function checkTrustBundle(bundle: FieldPath, take: TakePath): void {
  const [name, signer, selector] = [bundle.child('name'), bundle.child('signerName'), bundle.child('labelSelector')];
  if (name.isSet() && signer.isSet())
    bundle.invalid(
      internalValue(bundle.server, 'core/v1.ClusterTrustBundleProjection', bundle.value),
      'only one of name and signerName may be used',
    );
  else if (name.isSet()) {
    if (name.text() === '') name.required('must be a valid object name');
    const last = name.text().split(':').at(-1) ?? '';
    for (const problem of dns1123SubdomainProblems(last)) name.invalid(`not a valid clustertrustbundlename: ${problem}`);
    if (selector.isSet())
      selector.invalid(
        internalValue(bundle.server, 'meta/v1.LabelSelector', selector.value),
        'labelSelector must be unset if name is specified',
      );
  } else if (signer.isSet()) {
    if (signer.text() === '') signer.required('must be a valid signer name');
    checkSignerName(signer);
    checkLabelSelector(selector);
  } else bundle.required('either name or signerName must be specified');
  checkRequired(bundle, 'path');
  checkNonReservedPath(bundle.child('path'));
  take(bundle.text('path'));
}

const keyTypes = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519'];
const quantumSafeKeyTypes = ['MLDSA44', 'MLDSA65', 'MLDSA87'];

function checkPodCertificate(certificate: FieldPath, take: TakePath): void {
  checkSignerName(certificate.child('signerName'));
  const keyType = certificate.child('keyType');
  const known = certificate.server.isEnabled('PodCertificateMLDSA') ? [...keyTypes, ...quantumSafeKeyTypes] : keyTypes;
  if (!known.includes(keyType.text())) keyType.notSupportedText(known);
  const longest = certificate.child('maxExpirationSeconds');
  const limit = certificate.text('signerName').startsWith('kubernetes.io/') ? 86_400n : 7_862_400n;
  if (longest.isSet() && longest.number() < 3600n) longest.invalid('if provided, maxExpirationSeconds must be >= 3600');
  if (longest.number() > limit) longest.invalid(`if provided, maxExpirationSeconds must be <= ${limit}`);
  const paths = ['credentialBundlePath', 'keyPath', 'certificateChainPath']
    .map(key => certificate.child(key))
    .filter(path => path.text() !== '');
  for (const path of paths) {
    checkNonReservedPath(path);
    take(path.text());
  }
  if (paths.length === 0) certificate.required('specify at least one of credentialBundlePath, keyPath, and certificateChainPath');
}

/** Validates the form `example.com/name`. Source: apivalidation.ValidateSignerName. */
export function checkSignerName(signer: FieldPath): void {
  const name = signer.text();
  if (name === '') {
    signer.required();
    return;
  }
  const parts = name.split('/');
  if (parts.length !== 2) {
    signer.invalid("must be a fully qualified domain and path of the form 'example.com/signer-name'");
    return;
  }
  const [domain = '', path = ''] = parts;
  if (Buffer.byteLength(domain) > maxDomain) signer.tooLong(maxDomain);
  const labels = domain.split('.');
  checkSegment(signer, domain, dns1123LabelProblems);
  if (labels.length < 2) signer.invalid(domain, 'should be a domain with at least two segments separated by dots');
  checkSegment(signer, path, dns1123SubdomainProblems);
  if (Buffer.byteLength(name) > maxSignerName) signer.tooLong(maxSignerName);
}

const maxDomain = 253;
/** The domain, a slash, and a label and a subdomain with a dot between them. */
const maxSignerName = maxDomain + 1 + 63 + 1 + 253;

/** Validates the labels of a segment up to the first that is wrong. */
function checkSegment(signer: FieldPath, segment: string, problemsOf: (label: string) => string[]): void {
  const wrong = segment.split('.').find(label => problemsOf(label).length > 0);
  if (wrong === undefined) return;
  for (const problem of problemsOf(wrong)) signer.invalid(segment, `validating label ${quote(wrong)}: ${problem}`);
}
