import type { Position, Range } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';

/** How an editor counts the characters of a line. */
export type PositionEncoding = 'utf-16' | 'utf-8' | 'utf-32';

/** Returns the encoding to use: UTF-16, unless the editor does not offer it. */
export function chosenEncoding(offered: readonly string[] | undefined): PositionEncoding {
  if (offered === undefined || offered.length === 0 || offered.includes('utf-16')) return 'utf-16';
  return offered.find(one => one === 'utf-8' || one === 'utf-32') ?? 'utf-16';
}

/** Converts between offsets of a document and positions of the protocol. */
export class Positions {
  readonly #encoding: PositionEncoding;

  constructor(encoding: PositionEncoding) {
    this.#encoding = encoding;
  }

  /** Returns the position of an offset in UTF-16 units. */
  positionAt(document: TextDocument, offset: number): Position {
    const { line, character } = document.positionAt(offset);
    if (this.#encoding === 'utf-16') return { line, character };
    const start = document.offsetAt({ line, character: 0 });
    return { line, character: lengthIn(this.#encoding, document.getText().slice(start, start + character)) };
  }

  rangeOf(document: TextDocument, { start, end }: { readonly start: number; readonly end: number }): Range {
    return { start: this.positionAt(document, start), end: this.positionAt(document, end) };
  }

  /** Returns the offset of a position in UTF-16 units; the end of its line for a position after it. */
  offsetAt(document: TextDocument, { line, character }: Position): number {
    if (this.#encoding === 'utf-16') return document.offsetAt({ line, character });
    const start = document.offsetAt({ line, character: 0 });
    const text = document.getText().slice(start, document.offsetAt({ line: line + 1, character: 0 }));
    let at = 0;
    let counted = 0;
    for (const one of text) {
      counted += lengthIn(this.#encoding, one);
      if (counted > character) break;
      at += one.length;
    }
    return start + at;
  }

  /** Applies the changes of the editor, one after another. */
  update(document: TextDocument, changes: readonly { readonly range?: Range; readonly text: string }[], version: number): TextDocument {
    let updated = document;
    for (const change of changes) {
      const { range, text } = change;
      const own = range === undefined ? { text } : { range: this.#ownRange(updated, range), text };
      updated = TextDocument.update(updated, [own], version);
    }
    return updated;
  }

  #ownRange(document: TextDocument, { start, end }: Range): Range {
    return { start: document.positionAt(this.offsetAt(document, start)), end: document.positionAt(this.offsetAt(document, end)) };
  }
}

function lengthIn(encoding: PositionEncoding, text: string): number {
  return encoding === 'utf-8' ? Buffer.byteLength(text) : [...text].length;
}
