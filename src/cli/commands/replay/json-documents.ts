import { compactRaw } from '../../../go/json/write.js';

/** A line of the input, or the lines of one JSON object; without the text where it is longer than any event. */
export interface Document {
  readonly text: string | undefined;
  /** The number of the first line, from 1. */
  readonly line: number;
}

interface Open {
  readonly indent: string;
  readonly line: number;
  readonly lines: string[];
  length: number;
}

/** The first line of a recording or review in YAML: one of their members at the left margin. */
const firstOfYaml = /^(?:answer|apiVersion|kind|request|response):(?:\s|$)/;

/** Lines of a document in YAML: members at the left margin, and everything that is indented. */
const ofYaml = /^(?:\s|$|#|- |[A-Za-z][\w-]*:(?:\s|$))/;

/** Is this a document in YAML, which `documentsIn` has joined? */
export function isYamlDocument(text: string): boolean {
  return firstOfYaml.test(text);
}

/**
 * Joins the lines of JSON objects that a tool has printed over several lines, alone or as the items of a list: each begins with a line that is only a
 * brace, and ends with one at the same indentation. An object that another one interrupts is cut off. Lines of a recording or review in YAML are joined, too.
 */
export async function* documentsIn(lines: AsyncIterable<string | undefined>, maxCharacters: number): AsyncGenerator<Document> {
  let open: Open | undefined;
  let yaml: Omit<Open, 'indent'> | undefined;
  let line = 0;
  for await (const text of lines) {
    line += 1;
    if (yaml !== undefined) {
      if (text !== undefined && ofYaml.test(text) && yaml.length <= maxCharacters) {
        yaml.lines.push(text);
        yaml.length += text.length;
        continue;
      }
      yield joined(yaml, maxCharacters);
      yaml = undefined;
      if (/^---\s*$/.test(text ?? '')) continue;
    }
    if (open === undefined && text !== undefined && firstOfYaml.test(text)) {
      yaml = { line, lines: [text], length: text.length };
      continue;
    }
    if (open !== undefined && (text === undefined || isInterrupting(text, open) || open.length > maxCharacters)) {
      yield joined(open, maxCharacters);
      open = undefined;
    }
    if (open === undefined) {
      const indent = /^(\s*)\{\s*$/.exec(text ?? '')?.[1];
      if (indent !== undefined) open = { indent, line, lines: ['{'], length: 1 };
      // The list around objects, and separators of YAML.
      else yield { text: /^(?:\s*[[\]]|---)\s*$/.test(text ?? '') ? '' : text, line };
      continue;
    }
    open.lines.push(text ?? '');
    open.length += text?.length ?? 0;
    if (text?.startsWith(`${open.indent}}`) !== true || !/^\s*\},?\s*$/.test(text)) continue;
    yield { text: compactRaw(open.lines.join('\n').replace(/,\s*$/, '')), line: open.line };
    open = undefined;
  }
  if (yaml !== undefined) yield joined(yaml, maxCharacters);
  if (open !== undefined) yield { text: open.lines.join('\n'), line: open.line };
}

function joined({ lines, line, length }: Omit<Open, 'indent'>, maxCharacters: number): Document {
  return { text: length > maxCharacters ? undefined : lines.join('\n'), line };
}

/** A line of another object, at the beginning of one or whole. */
function isInterrupting(text: string, { indent }: Open): boolean {
  const start = text.search(/\S/);
  return start >= 0 && start <= indent.length && text[start] === '{';
}
