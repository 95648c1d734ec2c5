import { decodeUtf8Bytes } from '../../encoding/utf8.js';
import { YamlError, yamlToJson } from '../../encoding/yaml.js';

/** A document of a file as kubectl gets it. */
export interface SourceDocument {
  readonly json: string;
  /** Where it starts, counted from 1. */
  readonly line: number;
}

/** Where reading a file stopped, and why. */
export interface StreamError {
  readonly message: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
}

export interface DocumentStream {
  readonly documents: readonly SourceDocument[];
  readonly error: StreamError | undefined;
}

/** The documents of a file, and what was wrong behind the last of them. */
export function documentsOf(bytes: Uint8Array): DocumentStream {
  const lines = decodeUtf8Bytes(bytes).split('\n');
  const documents: SourceDocument[] = [];
  let start = 0;
  for (let at = 0; at <= lines.length; at += 1) {
    if (at < lines.length && !/^---(\s|$)/.test(lines[at] ?? '')) continue;
    const text = lines.slice(start, at).join('\n');
    try {
      const json = yamlToJson(text);
      if (json !== 'null') documents.push({ json, line: start + 1 });
    } catch (error) {
      if (!(error instanceof YamlError)) throw error;
      const line = /line (\d+)/.exec(error.message)?.[1];
      return { documents, error: { message: error.message, line: start + Number(line ?? 1), column: undefined } };
    }
    start = at + 1;
  }
  return { documents, error: undefined };
}
