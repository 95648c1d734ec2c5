import { isDeepStrictEqual } from 'node:util';
import { MalformedText, type PlacedMap, type PlacedNode, placeDocuments } from '../encoding/placed-documents.js';
import { CertificateError } from './certificate-error.js';
import { entryAt, type InjectTarget, injectTargets } from './inject-targets.js';

/** Text with its caBundles replaced. */
export interface Injected {
  readonly text: string;
  /** Places in order. */
  readonly targets: readonly {
    readonly name: string;
    readonly outcome: 'written' | 'unchanged' | 'skipped';
    readonly notes: readonly string[];
  }[];
}

/**
 * Writes a caBundle (PEM) into every webhook configuration, CRD conversion and APIService of a YAML or JSON text; every other byte stays.
 * Throws MalformedText, and CertificateError if that is impossible.
 */
export async function injectBundle(text: string, pem: string): Promise<Injected> {
  const bundle = Buffer.from(pem).toString('base64');
  const { json, documents } = await placeDocuments(text);
  const targets = documents.flatMap(injectTargets);
  const source = { text, json, bundle, ownValues: ownValuesOf(targets) };
  // Two targets can share a map through an alias: it is written once.
  const maps = new Map(targets.toReversed().flatMap(target => (target.map === undefined ? [] : [[target.map.start, target] as const])));
  const edits = new Map([...maps].flatMap(([start, target]) => editFor(target, source).map(edit => [start, edit] as const)));
  const injected = applied(text, [...edits.values()]);
  await checkOnlyBundles(injected, { documents, bundle });
  return { text: injected, targets: targets.map(target => outcomeOf(target, edits)) };
}

function outcomeOf({ name, map, notes }: InjectTarget, edits: ReadonlyMap<number, Edit>): Injected['targets'][number] {
  if (map === undefined) return { name, outcome: 'skipped', notes };
  return { name, outcome: edits.has(map.start) ? 'written' : 'unchanged', notes };
}

/** Returns the offsets of caBundles that are not aliases or merged. */
function ownValuesOf(targets: readonly InjectTarget[]): ReadonlySet<number> {
  const entries = targets.map(({ map }) => entryAt(map, 'caBundle'));
  return new Set(entries.flatMap(entry => (entry === undefined || entry.merged || entry.alias !== undefined ? [] : [entry.value.start])));
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Source {
  readonly text: string;
  readonly json: boolean;
  readonly bundle: string;
  readonly ownValues: ReadonlySet<number>;
}

function editFor({ map, entry }: InjectTarget, source: Source): Edit[] {
  if (map === undefined) return [];
  const existing = entryAt(map, 'caBundle');
  const keyEnd = entry === undefined || entry.alias !== undefined || entry.merged ? undefined : entry.keyEnd;
  if (existing === undefined) return [insertion(map, keyEnd, source)];
  const { value, alias, merged } = existing;
  if (value.kind === 'scalar' && value.value === source.bundle) return [];
  // An alias or merge of a caBundle gets the new value from its source; otherwise the alias is replaced.
  if ((alias === undefined && !merged) || source.ownValues.has(value.start)) return [replacement(value, existing.keyEnd, source)];
  return [merged || alias === undefined ? insertion(map, keyEnd, source) : { ...alias, text: source.bundle }];
}

/** Returns the new value with the quotes of the old one, on one line; the end of the old one's last line stays. */
function replacement(value: PlacedNode, keyEnd: number, { text, json, bundle }: Source): Edit {
  const { start, end } = value;
  const old = text.slice(start, end);
  const style = value.kind === 'scalar' ? value.style : 'plain';
  if (style === 'block') return { start, end, text: bundle + (/\s*$/.exec(old)?.[0] ?? '') };
  const quote = json || style === 'double' ? '"' : style === 'single' ? "'" : '';
  if (old !== '') return { start, end, text: quote + bundle + quote };
  // Nothing but spaces, an anchor or a comment.
  const before = text.slice(keyEnd, start).trimEnd();
  const at = keyEnd + before.length;
  return { start: at, end: at, text: ` ${bundle}` };
}

/** Returns the edit for a new first member. `keyEnd` is the end of the map's own key, if the map follows one. */
function insertion(map: PlacedMap, keyEnd: number | undefined, { text, json, bundle }: Source): Edit {
  const member = json ? `"caBundle": "${bundle}"` : `caBundle: ${bundle}`;
  const [first] = map.entries.filter(entry => !entry.merged);
  if (map.flow) return intoBraces(map, { text, member, tight: json && /"\s*:\S/.test(text.slice(map.start, map.end)) });
  const firstStart = first?.keyStart ?? map.start;
  const lineStart = text.lastIndexOf('\n', Math.min(map.start, firstStart)) + 1;
  const indentation = text.slice(lineStart, map.start);
  if (/^ *$/.test(indentation) && keyEnd !== undefined) {
    const afterKey = text.indexOf('\n', keyEnd) + 1;
    return { start: afterKey, end: afterKey, text: `${indentation}${member}${lineEndBefore(text, afterKey)}` };
  }
  // The map starts after something else on its line: its first member moves to the next line.
  const column = ' '.repeat(indentation.length);
  return { start: map.start, end: map.start, text: `${member}${lineEndAfter(text, map.start)}${column}` };
}

/** Inserts after the opening brace, with the spaces before the first member. */
function intoBraces(map: PlacedMap, { text, member, tight }: { text: string; member: string; tight: boolean }): Edit {
  const written = tight ? member.replace('": "', '":"') : member;
  const at = map.start + 1;
  const inside = text.slice(at, map.end - 1);
  if (inside.trim() === '') return { start: at, end: at, text: written };
  const blanks = /^[ \t\r\n]*/.exec(inside)?.[0] ?? '';
  const separator = blanks === '' ? (tight ? ',' : ', ') : `,${blanks}`;
  return { start: at + blanks.length, end: at + blanks.length, text: written + separator };
}

function lineEndBefore(text: string, offset: number): string {
  return text[offset - 2] === '\r' ? '\r\n' : '\n';
}

function lineEndAfter(text: string, offset: number): string {
  const feed = text.indexOf('\n', offset);
  return lineEndBefore(text, feed < 0 ? text.lastIndexOf('\n') + 1 : feed + 1);
}

function applied(text: string, edits: readonly Edit[]): string {
  const distinct = edits.filter((edit, i) => edits.findIndex(other => other.start === edit.start) === i);
  return distinct
    .toSorted((a, b) => b.start - a.start)
    .reduce((result, { start, end, text: put }) => result.slice(0, start) + put + result.slice(end), text);
}

/** Parses the result: every caBundle must be the new one and nothing else may have changed. */
async function checkOnlyBundles(
  text: string,
  given: { readonly documents: readonly PlacedNode[]; readonly bundle: string },
): Promise<void> {
  const after = await readAgain(text);
  if (after !== undefined && differsInBundlesOnly(after, given)) return;
  throw new CertificateError('refused', 'cannot write a caBundle here without changing something else', ['write it manually']);
}

async function readAgain(text: string): Promise<readonly PlacedNode[] | undefined> {
  try {
    return (await placeDocuments(text)).documents;
  } catch (error) {
    if (error instanceof MalformedText) return undefined;
    throw error;
  }
}

function differsInBundlesOnly(
  after: readonly PlacedNode[],
  { documents, bundle }: { readonly documents: readonly PlacedNode[]; readonly bundle: string },
): boolean {
  const [places, placesAfter] = [mapsOf(documents), mapsOf(after)];
  const values = [...placesAfter].map(map => entryAt(map, 'caBundle')?.value);
  return (
    values.every(value => value?.kind === 'scalar' && value.value === bundle) &&
    isDeepStrictEqual(
      documents.map(node => plain(node, places)),
      after.map(node => plain(node, placesAfter)),
    )
  );
}

function mapsOf(documents: readonly PlacedNode[]): ReadonlySet<PlacedMap> {
  return new Set(documents.flatMap(injectTargets).flatMap(({ map }) => (map === undefined ? [] : [map])));
}

/** Returns a document as plain data, without the caBundles to be written. */
function plain(node: PlacedNode, places: ReadonlySet<PlacedMap>): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(item => plain(item, places));
  const kept = node.entries.filter(({ key }) => !(key === 'caBundle' && (places.has(node) || isShared(node, places))));
  return kept.map(({ key, value }) => [key, plain(value, places)]);
}

/** Returns whether a map is used through an alias or a merge. */
function isShared(map: PlacedMap, places: ReadonlySet<PlacedMap>): boolean {
  return [...places].some(place => place.start === map.start && place.end === map.end);
}
