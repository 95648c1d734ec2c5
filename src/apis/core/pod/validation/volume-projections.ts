import { internalValue } from '../../../../apiserver/registry/validation/go-value.js';
import {
  addForbidden,
  addInvalid,
  addRequired,
  addUnsupportedText,
  at,
  hasSet,
  indexed,
  isSet,
  itemsAt,
  numberOf,
  type Place,
  textAt,
  textOf,
} from '../../../../apiserver/registry/validation/place.js';
import { checkLabelSelector, checkNonReservedPath, checkRequired } from '../../../../apiserver/registry/validation/rules.js';
import { dns1123SubdomainProblems } from '../../../../kubernetes/name-rules.js';
import { checkDownwardFile, checkKeyToPath } from './volume-files.js';

/** Records the paths of a volume's files and adds an error for a duplicate. */
type TakePath = (path: string, shown?: string) => void;

/** Validates the sources of a projected volume; conflicts are reported for the volume. Source: validateProjectionSources. */
export function checkProjectedSources(volume: Place): void {
  const taken = new Set<string>();
  const take: TakePath = (path, shown = path) => {
    if (taken.has(path)) addInvalid(volume, 'conflicting duplicate paths', shown);
    taken.add(path);
  };
  for (const source of itemsAt(volume, 'sources')) {
    const given = projections.filter(([kind]) => hasSet(source, kind));
    for (const [kind, check] of given) check(at(source, kind), take, volume);
    if (given.length > 1) addForbidden(source, 'may not specify more than 1 volume type per source');
  }
}

type CheckProjection = (projection: Place, take: TakePath, volume: Place) => void;

const projections: readonly (readonly [string, CheckProjection])[] = [
  ['secret', checkKeyed],
  ['configMap', checkKeyed],
  ['downwardAPI', checkDownward],
  ['serviceAccountToken', checkToken],
  ['clusterTrustBundle', checkTrustBundle],
  ['podCertificate', checkPodCertificate],
];

function checkKeyed(projection: Place, take: TakePath): void {
  checkRequired(projection, 'name');
  for (const item of indexed(at(projection, 'items'))) {
    checkKeyToPath(item);
    if (textAt(item, 'path') !== '') take(textAt(item, 'path'), textAt(projection, 'name'));
  }
}

function checkDownward(projection: Place, take: TakePath): void {
  for (const item of indexed(at(projection, 'items'))) {
    checkDownwardFile({ ...item, path: projection.path });
    if (textAt(item, 'path') !== '') take(textAt(item, 'path'));
  }
}

function checkToken(token: Place, _take: TakePath, volume: Place): void {
  const expiration = at(token, 'expirationSeconds');
  if (numberOf(expiration) < 600n) addInvalid(expiration, 'may not specify a duration less than 10 minutes', numberOf(expiration));
  if (numberOf(expiration) > 1n << 32n) addInvalid(expiration, 'may not specify a duration larger than 2^32 seconds');
  const path: Place = { ...at(token, 'path'), path: `${volume.path}.path` };
  if (textOf(path) === '') addRequired(path);
  else checkNonReservedPath(path);
}

function checkTrustBundle(bundle: Place, take: TakePath): void {
  const [name, signer, selector] = [at(bundle, 'name'), at(bundle, 'signerName'), at(bundle, 'labelSelector')];
  if (isSet(name) && isSet(signer))
    addInvalid(
      bundle,
      'only one of name and signerName may be used',
      internalValue(bundle.server, 'core/v1.ClusterTrustBundleProjection', bundle.value),
    );
  else if (isSet(name)) {
    if (textOf(name) === '') addRequired(name, 'must be a valid object name');
    const last = textOf(name).split(':').at(-1) ?? '';
    for (const problem of dns1123SubdomainProblems(last)) addInvalid(name, `not a valid clustertrustbundlename: ${problem}`);
    if (isSet(selector))
      addInvalid(
        selector,
        'labelSelector must be unset if name is specified',
        internalValue(bundle.server, 'meta/v1.LabelSelector', selector.value),
      );
  } else if (isSet(signer)) {
    if (textOf(signer) === '') addRequired(signer, 'must be a valid signer name');
    checkSignerName(signer);
    checkLabelSelector(selector);
  } else addRequired(bundle, 'either name or signerName must be specified');
  checkRequired(bundle, 'path');
  checkNonReservedPath(at(bundle, 'path'));
  take(textAt(bundle, 'path'));
}

const keyTypes = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519'];
const quantumSafeKeyTypes = ['MLDSA44', 'MLDSA65', 'MLDSA87'];

function checkPodCertificate(certificate: Place, take: TakePath): void {
  checkSignerName(at(certificate, 'signerName'));
  const keyType = at(certificate, 'keyType');
  const known = certificate.server.isEnabled('PodCertificateMLDSA') ? [...keyTypes, ...quantumSafeKeyTypes] : keyTypes;
  if (!known.includes(textOf(keyType))) addUnsupportedText(keyType, known);
  const longest = at(certificate, 'maxExpirationSeconds');
  const limit = textAt(certificate, 'signerName').startsWith('kubernetes.io/') ? 86_400n : 7_862_400n;
  if (isSet(longest) && numberOf(longest) < 3600n) addInvalid(longest, 'if provided, maxExpirationSeconds must be >= 3600');
  if (numberOf(longest) > limit) addInvalid(longest, `if provided, maxExpirationSeconds must be <= ${limit}`);
  const paths = ['credentialBundlePath', 'keyPath', 'certificateChainPath']
    .map(key => at(certificate, key))
    .filter(path => textOf(path) !== '');
  for (const path of paths) {
    checkNonReservedPath(path);
    take(textOf(path));
  }
  if (paths.length === 0) addRequired(certificate, 'specify at least one of credentialBundlePath, keyPath, and certificateChainPath');
}

/** Validates the form `example.com/name`. Source: apivalidation.ValidateSignerName. */
export function checkSignerName(signer: Place): void {
  const name = textOf(signer);
  if (name === '') {
    addRequired(signer);
    return;
  }
  const parts = name.split('/');
  if (parts.length !== 2) {
    addInvalid(signer, "must be a fully qualified domain and path of the form 'example.com/signer-name'");
    return;
  }
  const [domain = '', path = ''] = parts;
  checkSignerDomain({ ...signer, value: domain }, name);
  if (path === '') addInvalid(signer, `validating label "${path}": must have a path`, name);
  else
    for (const label of path.split('.'))
      for (const problem of dns1123SubdomainProblems(label)) addInvalid(signer, `validating label "${label}": ${problem}`);
}

function checkSignerDomain(domain: Place, whole: string): void {
  const problems = dns1123SubdomainProblems(textOf(domain));
  for (const problem of problems) addInvalid(domain, `validating domain "${textOf(domain)}": ${problem}`, whole);
  if (problems.length === 0 && !textOf(domain).includes('.'))
    addInvalid(domain, 'should be a domain with at least two segments separated by dots', whole);
}
