import { CliError } from '../../client/cli-error.js';
import { entriesIn, type LocatedManifest } from '../../client/manifests/manifests.js';
import { memoize } from '../../kubernetes/memoize.js';
import type { DocumentText } from '../text/file-documents.js';
import { entryOf, type TextNode, targetOfAlias } from '../text/text-node.js';

/** An object of a document with its node. */
export interface DocumentObject {
  readonly manifest: LocatedManifest;
  readonly content: DocumentText;
  readonly root: TextNode;
}

/** An object of a file, and where its document starts. */
export interface CheckedObject extends DocumentObject {
  readonly start: number;
}

/**
 * Returns the objects of a document, and the reason why it has none where kubectl would not send it; nothing for documents that are not for an API server: those
 * without apiVersion and kind, and templates.
 */
export const objectsIn: (content: DocumentText) => readonly (DocumentObject | CliError)[] = memoize(content => {
  if (!mayBeObject(content)) return [];
  const tree = content.tree();
  if (tree !== undefined && !isObjectLike(tree)) return [];
  const { entries } = entriesIn({ source: '', bytes: Buffer.from(content.text) });
  return entries.flatMap((entry, index): (DocumentObject | CliError)[] => {
    if (entry instanceof CliError) return isTemplate(content) ? [] : [entry];
    const root = rootOf(tree, entry, index);
    return root === undefined ? [] : [{ manifest: entry, content, root }];
  });
});

const memberPattern = (name: string): RegExp => new RegExp(String.raw`^(?:[\s{]*|.*[{,]\s*)["']?${name}["']?\s*:`, 'm');
const apiVersionMember = memberPattern('apiVersion');
const kindMember = memberPattern('kind');

function mayBeObject({ text, badSeparator }: DocumentText): boolean {
  return badSeparator === undefined && apiVersionMember.test(text) && kindMember.test(text);
}

/** A template is not yet YAML. Text in braces may also be in a value, of a document that can be read. */
function isTemplate({ text }: DocumentText): boolean {
  return text.includes('{{');
}

function isObjectLike(root: TextNode): boolean {
  return entryOf(root, 'apiVersion') !== undefined && entryOf(root, 'kind') !== undefined;
}

/** Returns the node of an object of a document: the root, or an item of a list. */
function rootOf(tree: TextNode | undefined, { list }: LocatedManifest, index: number): TextNode | undefined {
  if (tree === undefined || list === undefined) return tree;
  const items = entryOf(tree, 'items');
  const target = items === undefined ? undefined : targetOfAlias(items.value);
  return target?.kind === 'list' ? target.items[index] : undefined;
}
