import { CliError } from '../../client/cli-error.js';
import { entriesIn } from '../../client/manifests/manifests.js';
import { stringAt, type ValueMap } from '../../go/value.js';
import { documentAt, type FileDocument } from '../text/file-documents.js';
import { contentStart, indexInScalar } from '../text/scalar-units.js';
import { type ScalarTextNode, type TextNode, targetOfAlias } from '../text/text-node.js';

/** What an expression is for, which decides about its variables. */
export type ExpressionRole = 'webhook-condition' | 'policy-condition' | 'policy' | 'mutation' | 'rule';

/** An expression in an object, and what it is for. */
export interface ExpressionPlace {
  readonly role: ExpressionRole;
  readonly object: ValueMap;
  /** Path of the expression in the object. */
  readonly path: readonly (string | number)[];
}

/** A CEL expression in a file, with a place in it. */
export interface ExpressionSite extends ExpressionPlace {
  readonly document: FileDocument;
  readonly node: ScalarTextNode;
  /** Index of the place in the expression. */
  readonly index: number;
  /** Offset of the place in the document. */
  readonly offset: number;
}

const roles: readonly (readonly [RegExp, RegExp, ExpressionRole])[] = [
  [/^(?:Validating|Mutating)WebhookConfiguration$/, /^webhooks\/\d+\/matchConditions\/\d+\/expression$/, 'webhook-condition'],
  [/^(?:Validating|Mutating)AdmissionPolicy$/, /^spec\/matchConditions\/\d+\/expression$/, 'policy-condition'],
  [
    /^ValidatingAdmissionPolicy$/,
    /^spec\/(?:validations\/\d+\/(?:expression|messageExpression)|auditAnnotations\/\d+\/valueExpression)$/,
    'policy',
  ],
  [/^(?:Validating|Mutating)AdmissionPolicy$/, /^spec\/variables\/\d+\/expression$/, 'policy'],
  [/^MutatingAdmissionPolicy$/, /^spec\/mutations\/\d+\/(?:applyConfiguration|jsonPatch)\/expression$/, 'mutation'],
  [/^CustomResourceDefinition$/, /\/x-kubernetes-validations\/\d+\/(?:rule|messageExpression)$/, 'rule'],
];

/** Returns the expression around an offset of a file; undefined outside of expressions. */
export function expressionSite(text: string, offset: number): ExpressionSite | undefined {
  const document = documentAt(text, offset);
  const tree = document.tree();
  if (tree === undefined) return undefined;
  const inDocument = offset - document.start;
  const found = scalarAt(tree, inDocument, document.text);
  if (found === undefined) return undefined;
  for (const { object, path } of objectsAround(document, found.path)) {
    const role = roles.find(([kind, place]) => kind.test(stringAt(object, 'kind')) && place.test(path.join('/')))?.[2];
    if (role === undefined) continue;
    const { node } = found;
    return { document, node, index: indexInScalar(document.text, node, inDocument), offset: inDocument, role, object, path };
  }
  return undefined;
}

interface FoundScalar {
  readonly node: ScalarTextNode;
  readonly path: readonly (string | number)[];
}

/** Returns the scalar at an offset: where an expression is still empty, the place after its key. */
function scalarAt(root: TextNode, offset: number, text: string): FoundScalar | undefined {
  const open: { readonly node: TextNode; readonly path: readonly (string | number)[] }[] = [{ node: root, path: [] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, path } = next;
    if (node.kind === 'map') {
      for (const { key, value } of node.entries) if (key !== undefined) open.push({ node: value, path: [...path, key] });
    } else if (node.kind === 'list') {
      open.push(...node.items.map((item, index) => ({ node: item, path: [...path, index] })));
    } else if (targetOfAlias(node).kind === 'scalar' && node.kind === 'scalar' && isWithin(node, offset, text)) {
      return { node, path };
    }
  }
  return undefined;
}

function isWithin(node: ScalarTextNode, offset: number, text: string): boolean {
  const { start, end, style } = node;
  if (style === 'literal' || style === 'folded') {
    return contentStart(text, node) <= offset && (offset <= spaceAfter(text, end) || isBlankBelow(node, offset, text));
  }
  // The place after `key: ` of an empty value.
  const after = start === end ? spaceAfter(text, end) : end;
  return Math.min(contentStart(text, node), after) <= offset && offset <= after;
}

/** Reports whether a place is in a line of spaces below the text of a block, as deep as its next line would be. */
function isBlankBelow({ start, end }: ScalarTextNode, offset: number, text: string): boolean {
  if (offset < end || text.slice(end, offset).trim() !== '' || /[^ \r\n]/.test(text[spaceAfter(text, offset)] ?? '')) return false;
  const header = text.slice(text.lastIndexOf('\n', start) + 1, start);
  const keyColumn = /^[ -]*/.exec(header)?.[0].length ?? 0;
  return offset - (text.lastIndexOf('\n', offset - 1) + 1) > keyColumn;
}

/** Returns the end of the white space after an offset, within the line. */
function spaceAfter(text: string, end: number): number {
  let at = end;
  while (text[at] === ' ') at += 1;
  return at;
}

function* objectsAround({ text }: FileDocument, path: readonly (string | number)[]): Generator<Pick<ExpressionSite, 'object' | 'path'>> {
  const entries = entriesIn({ source: '', bytes: Buffer.from(text) }).entries;
  const [items, index] = path;
  for (const [number, entry] of entries.entries()) {
    if (entry instanceof CliError) continue;
    if (entry.list === undefined) yield { object: entry.object, path };
    else if (items === 'items' && index === number) yield { object: entry.object, path: path.slice(2) };
  }
}
