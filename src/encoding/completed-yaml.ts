import type { Document, YAMLMap, Node as YamlNode } from 'yaml';
import { isList, isMap, type Value, type ValueMap } from '../go/value.js';
import { plainOfValue } from './plain-json.js';

/**
 * Returns a YAML text with the values of `objects`, one for each of its documents that is not empty, `undefined` for one to keep: members that
 * are missing are added after the others, and other values are replaced. Comments, the order of members and quotes stay; spaces may change.
 * Undefined if the documents are not one for each object, or use aliases.
 */
export async function completeYaml(text: string, objects: readonly (ValueMap | undefined)[]): Promise<string | undefined> {
  const yaml = await import('yaml');
  const parsed = yaml.parseAllDocuments(text, { intAsBigInt: true, logLevel: 'silent' });
  const documents: readonly Document[] = 'empty' in parsed ? [] : parsed;
  const filled = documents.filter(({ contents }) => contents !== null);
  const hasAliases = documents.some(document => hasAlias(document, yaml));
  if (filled.length !== objects.length || hasAliases || documents.some(({ errors }) => errors.length > 0)) return undefined;
  filled.forEach((document, i) => {
    const object = objects[i];
    if (object !== undefined) document.contents = completed(document.contents, object, { yaml, document });
  });
  const options = {
    lineWidth: 0,
    indentSeq: !/^( *)[^\s#-][^\n]*:[ \t]*\n\1- /m.test(text),
    flowCollectionPadding: !/[[{][^\s\]}]/.test(text),
  };
  return documents.map(document => document.toString(options)).join('');
}

interface Completing {
  readonly yaml: typeof import('yaml');
  readonly document: Document;
}

function hasAlias(document: Document, yaml: typeof import('yaml')): boolean {
  let found = false;
  yaml.visit(document, {
    Alias: () => {
      found = true;
      return yaml.visit.BREAK;
    },
  });
  return found;
}

function completed(node: YamlNode | null, value: Value, completing: Completing): YamlNode {
  const { yaml, document } = completing;
  if (yaml.isMap(node) && isMap(value)) return completeMap(node, value, completing);
  if (yaml.isSeq(node) && isList(value) && node.items.length === value.length) {
    node.items = value.map((item, i) => completed(yaml.isNode(node.items[i]) ? node.items[i] : null, item, completing));
    return node;
  }
  const plain = plainOfValue(value);
  if (yaml.isScalar(node) && typeof plain !== 'object' && String(node.value) === String(plain)) return node;
  return document.createNode(plain);
}

function completeMap(node: YAMLMap, value: ValueMap, completing: Completing): YAMLMap {
  for (const [key, member] of value) {
    const existing = node.get(key, true);
    node.set(key, completed(completing.yaml.isNode(existing) ? existing : null, member, completing));
  }
  return node;
}
