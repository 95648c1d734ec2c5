import { asIPv4, formatIP } from '../go/net/ip.js';
import { formatMailbox, type Mailbox, parseMailbox } from './domain-name.js';
import type { IPRange } from './name-constraints.js';

/** Returns the constraint that covers a name, as Go prints it; undefined if there is none. */
export type Trees<Name> = (name: Name) => string | undefined;

type Side = 'permitted' | 'excluded';

/**
 * Builds domain constraints: a domain covers itself and its subdomains, with a leading dot its subdomains only. An excluded one also
 * covers a wildcard that could match it. Undefined if there are none. Source: crypto/x509 dnsConstraints.
 */
export function domainTrees(domains: readonly string[], side: Side): Trees<string> | undefined {
  if (domains.length === 0) return undefined;
  if (domains.includes('')) return () => '';
  const sorted = sortedAndPruned(domains, compareDomains, domainCovers);
  const siblings = new Map<string, string>();
  if (side === 'excluded') {
    for (const domain of sorted.map(d => d.toLowerCase())) {
      const parent = withoutFirstLabel(domain);
      if (parent !== '') siblings.set(parent, domain);
    }
  }
  return name => {
    const found = nearest(
      sorted,
      domain => compareDomains(domain, name),
      domain => domainCovers(domain, name),
    );
    if (found !== undefined || !name.startsWith('*')) return found;
    return siblings.get(withoutFirstLabel(name.toLowerCase()));
  };
}

/** Builds address ranges; IPv4 and IPv6 are distinguished by the number of octets in the certificate. Source: crypto/x509 ipConstraints. */
export function ipTrees(ranges: readonly IPRange[]): Trees<Uint8Array> | undefined {
  if (ranges.length === 0) return undefined;
  const compare = (a: IPRange, b: IPRange) => Buffer.compare(a.ip, b.ip) || Buffer.compare(a.mask, b.mask);
  const [four, six] = [4, 16].map(length =>
    sortedAndPruned(
      ranges.filter(({ ip }) => ip.length === length),
      compare,
      rangeCoversRange,
    ),
  );
  return ip => {
    const sorted = (ip.length === 4 ? four : six) ?? [];
    const found = nearest(
      sorted,
      range => Buffer.compare(range.ip, ip),
      range => rangeCovers(range, ip),
    );
    return found === undefined ? undefined : formatRange(found);
  };
}

/** Builds mail constraints: whole mailboxes, and domains as above. Source: crypto/x509 emailConstraints. */
export function mailTrees(constraints: readonly string[], side: Side): Trees<Mailbox> | undefined {
  if (constraints.length === 0) return undefined;
  const mailboxes = constraints
    .filter(c => c.includes('@'))
    .map(parseMailbox)
    .filter(m => m !== undefined);
  const domains = domainTrees(
    constraints.filter(c => !c.includes('@')),
    side,
  );
  return ({ local, domain }) => {
    if (mailboxes.some(m => m.local === local && m.domain.toLowerCase() === domain)) return formatMailbox({ local, domain });
    return domains?.(domain);
  };
}

/** Sorts, and removes constraints that the previous one covers. */
function sortedAndPruned<Tree>(
  trees: readonly Tree[],
  compare: (a: Tree, b: Tree) => number,
  covers: (a: Tree, b: Tree) => boolean,
): Tree[] {
  const kept: Tree[] = [];
  for (const tree of trees.toSorted(compare)) {
    const last = kept.at(-1);
    if (last === undefined || !covers(last, tree)) kept.push(tree);
  }
  return kept;
}

/**
 * Returns the tree that Go checks: the one that is equal to the name or directly precedes it (or the first one), even if another one would
 * cover the name. `compare` is negative for trees before the name.
 */
function nearest<Tree>(sorted: readonly Tree[], compare: (tree: Tree) => number, covers: (tree: Tree) => boolean): Tree | undefined {
  const next = sorted.findIndex(tree => compare(tree) >= 0);
  const candidate = sorted[next];
  if (candidate !== undefined && compare(candidate) === 0) return candidate;
  const before = sorted[next < 0 ? sorted.length - 1 : Math.max(next - 1, 0)];
  return before !== undefined && covers(before) ? before : undefined;
}

function domainCovers(domain: string, name: string): boolean {
  if (domain.length > name.length) return false;
  const tail = name.slice(name.length - domain.length);
  if (lower(tail) !== lower(domain)) return false;
  return domain.startsWith('.') || name.length === domain.length || name[name.length - domain.length - 1] === '.';
}

/** Compares from the last character to the first, in lower case, with the dot before everything else. */
function compareDomains(a: string, b: string): number {
  const [left, right] = [a, b].map(name => [...lower(name)].reverse().map(c => (c === '.' ? 0 : c.charCodeAt(0))));
  if (left === undefined || right === undefined) return 0;
  for (let i = 0; i < Math.min(left.length, right.length); i += 1) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function lower(name: string): string {
  return name.toLowerCase();
}

/** Returns the text from the first dot on; empty for a single label. */
function withoutFirstLabel(name: string): string {
  const dot = name.indexOf('.');
  return dot < 0 ? '' : name.slice(dot);
}

function rangeCoversRange(outer: IPRange, inner: IPRange): boolean {
  const last = inner.ip.map((octet, i) => octet | (~(inner.mask[i] ?? 0) & 0xff));
  return rangeCovers(outer, inner.ip) && rangeCovers(outer, last);
}

/** An IPv4-mapped range or address is treated as IPv4. Source: net.IPNet.Contains. */
function rangeCovers(range: IPRange, address: Uint8Array): boolean {
  const { ip, mask } = unmapped(range);
  const own = asIPv4(address) ?? address;
  return own.length === ip.length && ip.every((octet, i) => ((octet ^ (own[i] ?? 0)) & (mask[i] ?? 0)) === 0);
}

function unmapped({ ip, mask }: IPRange): IPRange {
  const four = asIPv4(ip);
  return four === undefined ? { ip, mask } : { ip: four, mask: mask.length === 16 ? mask.subarray(12) : mask };
}

/** Source: net.IPNet.String. */
function formatRange(range: IPRange): string {
  const { ip, mask } = unmapped(range);
  const ones = [...mask].reduce((sum, octet) => sum + bitLengthOf(octet), 0);
  return `${formatIP(ip)}/${ones}`;
}

function bitLengthOf(octet: number): number {
  return octet.toString(2).replaceAll('0', '').length;
}
