import { pointerTo } from '../../encoding/json-pointer.js';
import { placesIn } from '../../encoding/line-places.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { type Position, readManifests } from '../../encoding/yaml-stream.js';
import { encodeUtf8Bytes } from '../../go/utf8.js';
import { stringAt, type Value } from '../../go/value.js';
import type { MemberPath } from './configuration.js';
import { InjectorConfigurationError } from './configuration-error.js';

/** Text in a file, and the positions of its parts in the file. */
export interface PlacedText {
  readonly file: string;
  readonly text: string;
  readonly inFile: (position: Position) => Position;
}

/** Value of a YAML or JSON text, and the positions of its members in the file. */
export interface PlacedDocument {
  readonly value: Value;
  /** Returns the position of a member, or of an offset in its text. */
  positionOf(path: MemberPath, offset?: number): Position | undefined;
  /** Returns the text of a member: another document. */
  textAt(path: MemberPath): PlacedText;
}

/** Parses the first document of a text; `null` if there is none. Throws InjectorConfigurationError. */
export function placedDocument({ file, text, inFile }: PlacedText): PlacedDocument {
  const { documents, error } = readManifests(encodeUtf8Bytes(text));
  const [document] = documents;
  if (document === undefined && error !== undefined) {
    throw new InjectorConfigurationError(error.message.replaceAll('\n', ' '), { file, ...inFile(error.position) });
  }
  const value = document === undefined ? null : readUnstructured(document.json);
  const insideOf = (path: MemberPath): PlacedText => {
    const content = stringAt(value, ...path);
    const key = document?.positionOf(pointerTo(path)) ?? { line: 1, column: 1 };
    const inText = literalPlaces(text, key, content);
    return { file, text: content, inFile: position => inFile(inText(position)) };
  };
  return {
    value,
    positionOf(path, offset) {
      if (document === undefined) return undefined;
      if (offset === undefined) return inFile(document.positionOf(pointerTo(path)));
      const inside = insideOf(path);
      return inside.inFile(placesIn(inside.text)(offset));
    },
    textAt: insideOf,
  };
}

/** Returns where positions in a literal block scalar (`key: |`) are in the text around it; for other scalars it is their key. */
function literalPlaces(text: string, key: Position, content: string): (position: Position) => Position {
  const lines = text.split(/\r?\n/);
  const contentLines = content.split('\n');
  const first = contentLines.findIndex(line => line !== '');
  const isLiteral = /:\s+(?:[&!]\S*\s+)*\|[-+\d]*\s*(?:#.*)?$/.test(lines[key.line - 1] ?? '');
  if (!isLiteral || first < 0) return () => key;
  const indentation = (lines[key.line + first] ?? '').length - (contentLines[first] ?? '').length;
  return ({ line, column }) => ({ line: key.line + line, column: column + indentation });
}
