import { manifestText } from '../encoding/manifest-text.js';
import { JsonSyntaxError, readValue } from '../go/json/reader.js';
import { skipWhitespace } from '../go/json/tokens.js';

/** Documents of a file that show whether it is a log. */
const maxDocuments = 100;

/** The lines of an object's kind and version in a YAML document. */
const kindLine = /^[ \t]*(?:[-?] +|[&!]\S+ +)*["']?kind["']?[ \t]*:/m;
const versionLine = /^[ \t]*(?:[-?] +|[&!]\S+ +)*["']?apiVersion["']?[ \t]*:/m;

/**
 * Reports whether a file contains no manifests for certain: text without lines that could be an object's kind and version, or lines of JSON the first 100 of which have no
 * kind.
 */
export function isLog(bytes: Uint8Array): boolean {
  const text = manifestText(bytes);
  return /^\s{0,100}[{[]/.test(text) ? isJsonLog(text) : !(kindLine.test(text) && versionLine.test(text));
}

function isJsonLog(text: string): boolean {
  let at = 0;
  for (let i = 0; i < maxDocuments; i += 1) {
    at = skipWhitespace(text, at);
    const line = text.indexOf('\n', at);
    // A document of several lines is read as a manifest.
    if (line < 0) return false;
    const read = objectIn(text.slice(at, line).trimEnd());
    if (read === undefined || read.type !== 'object' || read.members.some(({ key }) => key === 'kind')) return false;
    at = line;
  }
  return true;
}

function objectIn(line: string): ReturnType<typeof readValue>['node'] | undefined {
  try {
    const { node, end } = readValue(line, 0);
    return end === line.length ? node : undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}
