/** A container image's reference in its full form. */
export interface ImageReference {
  /** `docker.io/library/nginx:1@sha256:...` */
  readonly text: string;
  /** Empty if there is none. */
  readonly tag: string;
  /** `sha256:...`, empty if there is none. */
  readonly digest: string;
}

/**
 * Parses `nginx`, `registry.example.com/app:1.4@sha256:...`; the registry is Docker Hub if there is none. Returns Go's error for an invalid
 * reference. Source: distribution/reference ParseNormalizedNamed, opencontainers/go-digest Validate.
 */
export function parseImageReference(image: string): ImageReference | { readonly error: string } {
  if (/^[a-f0-9]{64}$/.test(image)) return { error: `invalid repository name (${image}), cannot specify 64-byte hexadecimal strings` };
  const { domain, remainder } = splitDomain(image);
  const remote = remainder.split(':', 1)[0] ?? '';
  if (remote.toLowerCase() !== remote) return { error: `invalid reference format: repository name (${remote}) must be lowercase` };
  const text = `${domain}/${remainder}`;
  const match = reference.exec(text);
  if (match === null)
    return { error: reference.test(text.toLowerCase()) ? 'repository name must be lowercase' : 'invalid reference format' };
  const [, path = '', tag = '', digest = ''] = match;
  if (path.length > longestPath) return { error: `repository name must not be more than ${longestPath} characters` };
  const error = digest === '' ? undefined : digestError(digest);
  return error === undefined ? { text, tag, digest } : { error };
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

function digestError(digest: string): string | undefined {
  const [algorithm = '', encoded = ''] = digest.split(':', 2);
  const length = digestLengths.get(algorithm);
  if (length === undefined) return 'unsupported digest algorithm';
  if (encoded.length !== length) return 'invalid checksum digest length';
  return /^[a-f0-9]+$/.test(encoded) ? undefined : 'invalid checksum digest format';
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
