import { type FieldInText, fieldInText } from '../text/field-in-text.js';
import type { DocumentText } from '../text/file-documents.js';
import { lineEnd } from '../text/line-starts.js';
import { entryOf, type ScalarTextNode, type TextNode, targetOfAlias } from '../text/text-node.js';
import type { DiagnosticCause } from './causes.js';
import { valueOfDecoderError } from './decoder-place.js';
import { rangeInExpression } from './expression-place.js';
import type { Range } from './problem.js';

/** Text of a document and the node of an object in it. */
export interface PlacedObject {
  readonly text: string;
  readonly format: DocumentText['format'];
  readonly root: TextNode;
  readonly isDefinition: boolean;
}

/** Returns the range of a cause in the document: the value of its field, or of the nearest one around it; the first line for the whole object. */
export function rangeOfCause(
  { text, format, root, isDefinition }: PlacedObject,
  { field, text: message, unknownField, isNamedInText }: DiagnosticCause,
): Range {
  const wrong = isNamedInText === true ? valueOfDecoderError(root, format, message) : undefined;
  if (wrong !== undefined) return rangeOfNode(text, wrong);
  const whole = fieldInText(root, isDefinition ? fieldInDefinition(field) : field);
  const found = (whole.missing !== '' && isNamedInText === true ? withoutIndices(root, field) : undefined) ?? whole;
  // The key is what is wrong about an unknown field.
  if (unknownField !== undefined && found.missing === '' && found.entry !== undefined)
    return { start: found.entry.keyStart, end: found.entry.keyEnd };
  const scalar = expressionAt(found.node);
  return (scalar === undefined ? undefined : rangeInExpression(text, scalar, message)) ?? rangeOfNode(text, found);
}

/** Returns the scalar of an expression: an error may be about the map around it. */
function expressionAt(node: TextNode): ScalarTextNode | undefined {
  const target = targetOfAlias(node);
  if (target.kind === 'scalar') return target;
  const inside = target.kind === 'map' ? (entryOf(target, 'expression') ?? entryOf(target, 'rule')) : undefined;
  const value = inside === undefined ? undefined : targetOfAlias(inside.value);
  return value?.kind === 'scalar' ? value : undefined;
}

/** Finds a path that leaves out the indices of lists, as Go's JSON decoder writes them: the first item that has the field. */
function withoutIndices(root: TextNode, field: string): FieldInText | undefined {
  if (field === '' || field.includes('[')) return undefined;
  const found = searched(root, field.split('.'));
  return found === undefined ? undefined : { ...found, missing: '' };
}

function searched(node: TextNode, names: readonly string[]): Pick<FieldInText, 'node' | 'entry'> | undefined {
  const target = targetOfAlias(node);
  if (target.kind === 'list') {
    for (const item of target.items) {
      const found = searched(item, names);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  const [name = '', ...rest] = names;
  const entry = entryOf(target, name);
  if (entry === undefined) return undefined;
  return rest.length === 0 ? { node: entry.value, entry } : searched(entry.value, rest);
}

/** Returns the range of a node: of a block of several lines only the first one, so that an error does not underline half a file. */
export function rangeOfNode(text: string, { node, entry }: Pick<FieldInText, 'node' | 'entry'>): Range {
  const { start, end } = node;
  if (start === end && entry !== undefined) return { start: entry.keyStart, end: Math.max(entry.keyEnd, end) };
  if (node.kind === 'scalar' || node.kind === 'alias') return { start, end };
  return { start, end: Math.max(start, Math.min(end, lineEnd(text, start))) };
}

/**
 * Translates a field of the internal version of a definition, which errors use, to v1: the internal version has fields shared by all versions once,
 * and the webhook's fields in the conversion itself. Source: apiextensions v1/conversion.go.
 */
function fieldInDefinition(field: string): string {
  return field
    .replace(/^spec\.validation(?=[.[]|$)/, 'spec.versions[0].schema')
    .replace(/^spec\.(?=(?:subresources|additionalPrinterColumns|selectableFields)(?:[.[]|$))/, 'spec.versions[0].')
    .replace(/^spec\.conversion\.webhookClientConfig(?=[.[]|$)/, 'spec.conversion.webhook.clientConfig')
    .replace(/^spec\.conversion\.(?=conversionReviewVersions(?:[.[]|$))/, 'spec.conversion.webhook.');
}
