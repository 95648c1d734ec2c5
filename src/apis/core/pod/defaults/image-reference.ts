/**
 * Returns the tag of an image reference: `latest` when it has neither tag nor digest, empty with only a digest and for an invalid
 * reference. Source: distribution/reference ParseNormalizedNamed, kubernetes util/parsers ParseImageName.
 */
export function imageTag(image: string): string {
  if (/^[a-f0-9]{64}$/.test(image)) return '';
  const { domain, remainder } = splitDomain(image);
  const remote = remainder.split(':', 1)[0] ?? '';
  if (remote.toLowerCase() !== remote) return '';
  const match = reference.exec(`${domain}/${remainder}`);
  if (match === null) return '';
  const [, path = '', tag = '', digest = ''] = match;
  if (path.length > longestPath || (digest !== '' && !isDigest(digest))) return '';
  return tag === '' && digest === '' ? 'latest' : tag;
}

/** Max length of a repository path, without its domain. */
const longestPath = 255;

const domainComponent = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const host = `(?:${domainComponent}(?:\\.${domainComponent})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const pathComponent = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const digestPattern = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const reference = new RegExp(`^${host}/(${pathComponent}(?:/${pathComponent})*)(?::(\\w[\\w.-]{0,127}))?(?:@(${digestPattern}))?$`);

/** Number of hexadecimal digits of each known digest algorithm. */
const digestLengths = new Map([
  ['sha256', 64],
  ['sha384', 96],
  ['sha512', 128],
]);

function isDigest(digest: string): boolean {
  const [algorithm = '', encoded = ''] = digest.split(':', 2);
  return encoded.length === digestLengths.get(algorithm) && /^[a-f0-9]+$/.test(encoded);
}

/** Returns the registry host before the first slash if it looks like one, else Docker Hub. */
function splitDomain(name: string): { readonly domain: string; readonly remainder: string } {
  const slash = name.indexOf('/');
  const first = slash < 0 ? '' : name.slice(0, slash);
  const isHost = first === 'localhost' || /[.:]/.test(first) || first.toLowerCase() !== first;
  const domain = isHost && first !== 'index.docker.io' ? first : 'docker.io';
  const remainder = isHost ? name.slice(slash + 1) : name;
  return domain === 'docker.io' && !remainder.includes('/') ? { domain, remainder: `library/${remainder}` } : { domain, remainder };
}
