import { compactRaw } from '../../../go/json/write.js';

/** A line of the input, or the lines of one JSON object; without the text where it is longer than any event. */
export interface Document {
  readonly text: string | undefined;
  /** The number of the first line, from 1. */
  readonly line: number;
}

/** A line; undefined for one that is too long, and the number of lines for a run of empty ones. */
export type Line = string | undefined | number;

interface Open {
  readonly line: number;
  readonly lines: LineBuffer;
}

interface OpenJson extends Open {
  readonly indent: string;
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
 * brace, and ends with one at the same indentation. An object that another one interrupts is cut off. Lines of a recording or review in YAML are joined, too. A run of empty
 * lines is one empty document.
 */
export async function* joinJsonDocuments(batches: AsyncIterable<readonly Line[]>, maxCharacters: number): AsyncGenerator<Document> {
  let open: OpenJson | undefined;
  let yaml: Open | undefined;
  let line = 0;
  for await (const batch of batches) {
    for (const text of batch) {
      line += 1;
      if (typeof text === 'number') {
        const lines = (yaml ?? open)?.lines;
        if (lines === undefined || lines.length > maxCharacters) yield { text: '', line };
        else lines.addEmpty(text, yaml !== undefined);
        line += text - 1;
        continue;
      }
      if (yaml !== undefined) {
        if (text !== undefined && ofYaml.test(text) && yaml.lines.length <= maxCharacters) {
          yaml.lines.add(text);
          continue;
        }
        yield joined(yaml, maxCharacters);
        yaml = undefined;
        if (/^---\s*$/.test(text ?? '')) continue;
      }
      if (open === undefined && text !== undefined && firstOfYaml.test(text)) {
        yaml = { line, lines: new LineBuffer(text) };
        continue;
      }
      if (open !== undefined && (text === undefined || isInterrupting(text, open) || open.lines.length > maxCharacters)) {
        yield joined(open, maxCharacters);
        open = undefined;
      }
      if (open === undefined) {
        const indent = /^(\s*)\{\s*$/.exec(text ?? '')?.[1];
        if (indent !== undefined) open = { indent, line, lines: new LineBuffer('{') };
        // The list around objects, and separators of YAML.
        else yield { text: /^(?:\s*[[\]]|---)\s*$/.test(text ?? '') ? '' : text, line };
        continue;
      }
      open.lines.add(text ?? '');
      if (text?.startsWith(`${open.indent}}`) !== true || !/^\s*\},?\s*$/.test(text)) continue;
      yield { text: compactRaw(open.lines.text().replace(/,\s*$/, '')), line: open.line };
      open = undefined;
    }
  }
  if (yaml !== undefined) yield joined(yaml, maxCharacters);
  if (open !== undefined) yield joined(open, maxCharacters);
}

function joined({ lines, line }: Open, maxCharacters: number): Document {
  return { text: lines.length > maxCharacters ? undefined : lines.text(), line };
}

/** A line of another object, at the beginning of one or whole. */
function isInterrupting(text: string, { indent }: OpenJson): boolean {
  const start = text.search(/\S/);
  return start >= 0 && start <= indent.length && text[start] === '{';
}

const maxPending = 4096;

/** Lines of a document: joined from time to time, because millions of short ones take more memory as strings than as a text. */
class LineBuffer {
  /** Characters, with those of line breaks. */
  length = 0;
  readonly #parts: string[] = [];
  #pending: string[] = [];

  constructor(first: string) {
    this.add(first);
  }

  add(text: string): void {
    this.length += text.length + 1;
    this.#pending.push(text);
    if (this.#pending.length >= maxPending) this.#join();
  }

  /** Empty lines mean something only in YAML; they count in any case. */
  addEmpty(count: number, isKept: boolean): void {
    this.length += count;
    if (isKept) this.#pending.push('\n'.repeat(count - 1));
  }

  text(): string {
    this.#join();
    return this.#parts.join('\n');
  }

  #join(): void {
    if (this.#pending.length > 0) this.#parts.push(this.#pending.join('\n'));
    this.#pending = [];
  }
}
