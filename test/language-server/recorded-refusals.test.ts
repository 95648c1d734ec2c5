import { describe, expect, it } from 'vitest';
import { isAlias, isMap, isSeq, LineCounter, type Node, parseAllDocuments, stringify } from 'yaml';
import { apiServers } from '../../src/cli/work/api-servers/api-servers.js';
import { stateOf } from '../../src/client/manifests/cluster-state.js';
import { readUnstructured } from '../../src/encoding/unstructured.js';
import { defaultServerOptions } from '../../src/kubernetes/server-options.js';
import type { TextProblem } from '../../src/language-server/diagnostics/problem.js';
import { checkDocument } from '../../src/language-server/server/check-document.js';
import { Workspace } from '../../src/language-server/workspace/workspace.js';
import { casesOf, readFolder } from '../corpus/files.js';
import { editorSurroundings, newFile } from './editor.js';

/** A refused creation as a document. */
interface Refusal {
  readonly name: string;
  readonly object: object;
  readonly state: readonly object[];
  readonly causes: readonly { readonly field: string; readonly text: string }[];
}

const styles = {
  'block style': (object: object) => stringify(object, { version: '1.1', aliasDuplicateObjects: false }),
  'flow style with CRLF': (object: object) =>
    `# x\r\n---\r\n${stringify(object, { version: '1.1', collectionStyle: 'flow', defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN', aliasDuplicateObjects: false }).replaceAll('\n', '\r\n')}`,
  JSON: (object: object) => JSON.stringify(object, null, 2),
  'block scalars, comments and wide indentation': (object: object) =>
    withComments(
      stringify(object, {
        ...{ version: '1.1', indent: 4, lineWidth: 40, defaultStringType: 'BLOCK_LITERAL', defaultKeyType: 'PLAIN' },
        aliasDuplicateObjects: false,
      }),
    ),
  'anchors and aliases': (object: object) => stringify(shared(object), { version: '1.1' }),
  'merge keys': (object: object) => stringify(merging(object), { version: '1.1', merge: false, aliasDuplicateObjects: false }),
  'the second item of a List': (object: object) =>
    stringify({ apiVersion: 'v1', kind: 'List', items: [configMap, object] }, { version: '1.1', aliasDuplicateObjects: false }),
  'the second of several documents, in single quotes': (object: object) =>
    `# first\n${stringify(configMap)}---\n# second\n${stringify(object, { version: '1.1', defaultStringType: 'QUOTE_SINGLE', aliasDuplicateObjects: false })}---\n# last\n`,
};

const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'other', namespace: 'kube-system' } };

/** Returns the text with comments where they belong to no value. */
function withComments(text: string): string {
  return text.replace(/^(?= *[\w-]+: *(?:[\w-]+)?$)/gm, '# a: "comment"\n');
}

/** Returns the object with the second half of each map below the root in a map that is merged. */
function merging(value: object, depth = 0): object {
  const visit = (one: unknown): unknown => (typeof one === 'object' && one !== null ? merging(one, depth + 1) : one);
  if (Array.isArray(value)) return value.map(visit);
  const members = Object.entries(value).map(([key, member]) => [key, visit(member)] as const);
  const half = depth === 0 ? members.length : Math.ceil(members.length / 2);
  const rest = members.slice(half);
  return Object.fromEntries([...(rest.length === 0 ? [] : [['<<', Object.fromEntries(rest)] as const]), ...members.slice(0, half)]);
}

/** Returns the object with equal parts that are the same value, which become anchors and aliases. */
function shared(value: object): object {
  const known = new Map<string, unknown>();
  const visit = (one: unknown): unknown => {
    if (typeof one !== 'object' || one === null) return one;
    const text = JSON.stringify(one);
    const same =
      known.get(text) ??
      (Array.isArray(one) ? one.map(visit) : Object.fromEntries(Object.entries(one).map(([key, member]) => [key, visit(member)])));
    known.set(text, same);
    return same;
  };
  return visit(value) as object;
}

/** One of this many recorded refusals is tried: all of them take a minute. */
const every = Number(process.env['WEBHOOK_CLI_REFUSALS_EVERY'] ?? 5);

for (const folder of ['configuration', 'policies', 'requests', 'custom-resources']) {
  describe(`recorded refusals of ${folder}`, () => {
    const refusals = refusalsOf(folder).filter((_, index) => index % every === 0);

    for (const [style, write] of Object.entries(styles)) {
      it(`are diagnostics on the lines of their fields in ${style}`, { timeout: 240_000 }, async () => {
        const missed: string[] = [];
        let total = 0;
        for (const refusal of refusals) {
          const text = write(refusal.object);
          const problems = await problemsOf(text, refusal.state);
          for (const cause of refusal.causes) {
            total += 1;
            const found = problems.some(problem => problem.message.includes(cause.text) && isAt(problem, cause.field, text));
            if (!found) missed.push(`${refusal.name}: ${cause.text}`);
          }
        }
        expect(total).toBeGreaterThan(20);
        expect(missed).toEqual([]);
      });
    }
  });
}

function refusalsOf(folder: string): Refusal[] {
  const files = readFolder(folder);
  const definitions = files.find(({ name }) => name.startsWith('crds'))?.document['crds'] as Record<string, object> | undefined;
  return files.flatMap(casesOf).flatMap(recorded => {
    const { name, call, cluster = {}, answer, apiserver } = plain(recorded);
    const isCreation = call?.method === 'POST' && /^\/api(?:s\/[^/?]+)?\/[^/?]+\/(?:namespaces\/[^/?]+\/)?[a-z]+$/.test(call.path);
    // What is not in the document: flags of the server, other users, the headers of the call, and what webhooks answer.
    const isOfDocument =
      (apiserver?.flags ?? []).length === 0 &&
      call?.user === undefined &&
      /^application\/json$/.test(call?.contentType) &&
      !/406: Not Acceptable/.test(answer?.body) &&
      !/mutated|^webhooks\/|admission webhook|calling webhook|already exists|could not find the requested resource/.test(
        `${name}${answer?.body}`,
      );
    if (!isCreation || !isOfDocument || !(answer?.status >= 400) || recorded['answers'] !== undefined) return [];
    const [object, status] = [parsed(call.body), parsed(answer.body)];
    if (object === undefined || status === undefined || !isOfPath(object, call.path)) return [];
    const namespace = /namespaces\/([^/]+)\//.exec(call.path)?.[1];
    if (namespace !== undefined) object.metadata.namespace ??= namespace;
    const causes = (status.details?.causes ?? []).map((cause: { field?: string; message?: string }) => ({
      field: cause.field ?? '',
      text: `${cause.field === undefined ? '' : `${cause.field}: `}${cause.message}`,
    }));
    if (causes.length === 0) causes.push({ field: '', text: status.message });
    if (causes.some(({ text }: { text: string }) => isVolatile(text))) return [];
    const listed: readonly object[] = cluster.objects ?? [];
    // Definitions of parameters are not listed.
    const groups = JSON.stringify([...listed, object]);
    const known = Object.entries(definitions ?? {}).filter(([crd]) => groups.includes(crd.slice(crd.indexOf('.') + 1)));
    return [{ name, object, state: [...listed, ...known.map(([, crd]) => plain(crd))], causes }];
  });
}

/** Integers are exact in the corpus. */
// biome-ignore lint/suspicious/noExplicitAny: recorded JSON of any shape
function plain(value: unknown): any {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
}

// biome-ignore lint/suspicious/noExplicitAny: recorded JSON of any shape
function parsed(text: string): any {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Does kubectl send this object to the path of the recording? */
function isOfPath(object: { readonly apiVersion?: unknown; readonly kind?: unknown; readonly metadata?: unknown }, path: string): boolean {
  const version = /^\/api(?:s\/([^/?]+))?\/([^/?]+)/.exec(path);
  const expected = [version?.[1], version?.[2]].filter(part => part !== undefined).join('/');
  const resource = path.split('/').at(-1) ?? '';
  const isKind = typeof object.kind === 'string' && resource.startsWith(object.kind.toLowerCase().slice(0, -1));
  return object.apiVersion === expected && isKind && typeof object.metadata === 'object' && object.metadata !== null;
}

/** Has the text a random suffix or a time, the manager that kubectl's name gives, or a number that JavaScript writes in another way? */
function isVolatile(text: string): boolean {
  return /"managedFields":|_[a-z0-9]{5}"|\d{16}|denied request: TIME$|kubectl Update|\b\d+\.0\b|"float64"|falsetrue/.test(text);
}

const server = apiServers({ minor: 'v1.36' });
const metadata = { uid: () => '00000000-0000-4000-8000-000000000000', now: () => new Date() };

async function problemsOf(text: string, objects: readonly object[]): Promise<readonly TextProblem[]> {
  const values = objects.map(object => readUnstructured(JSON.stringify(object)));
  const state = stateOf(
    values as Parameters<typeof stateOf>[0],
    { server, options: defaultServerOptions, presumesNamespaces: false },
    metadata,
  );
  const readSettings = async () => ({ state, discovers: false, warnings: [] });
  const surroundings = { ...editorSurroundings({ surroundings: { readSettings } }), input: (async function* () {})(), write: () => {} };
  const workspace = new Workspace(surroundings, undefined);
  return (await checkDocument(newFile(text), { surroundings, workspace, isCancelled: async () => false })) ?? [];
}

/** Is the problem on the line of the field's value, or of the nearest one around it? The library `yaml` finds them another way. */
function isAt(problem: TextProblem, field: string, text: string): boolean {
  if (field === '') return true;
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines });
  // A comment is before the documents of one style, and the other object before that of another.
  const document = documents.slice(0, 2).findLast(({ contents }) => contents !== null);
  if (document === undefined) return false;
  let node: Node | null = document.contents;
  if (isMap(node) && node.get('kind') === 'List') node = node.getIn(['items', 1], true) as Node;
  for (const step of field.match(/[^.[\]]+|\[[^\]]*\]/g) ?? []) {
    const key = step.replace(/^\[|\]$/g, '');
    if (isAlias(node)) node = node.resolve(document) ?? null;
    const merged = isMap(node) && !node.has(key) ? node.get('<<', true) : undefined;
    const around: unknown = isMap(merged) && merged.has(key) ? merged : node;
    const next: unknown = isMap(around) || isSeq(around) ? around.get(isSeq(around) ? Number(key) : key, true) : undefined;
    // The nearest one around it.
    if (next === undefined || next === null) break;
    node = next as Node;
  }
  const line = (offset: number): number => lines.linePos(offset).line;
  const [start = 0, end = start] = node?.range ?? [];
  // Errors of CEL are inside the expression.
  return problem.message.includes('ERROR: <input>:') ? start <= problem.start && problem.start <= end : line(start) === line(problem.start);
}
