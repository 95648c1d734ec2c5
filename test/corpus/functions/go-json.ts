import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { JsonTypeError, readUnstructured, readUnstructuredStrict, readWithFloats } from '../../../src/encoding/unstructured.js';
import { readUnstructuredObject, UnstructuredError } from '../../../src/encoding/unstructured-object.js';
import { JsonSyntaxError } from '../../../src/go/json/reader.js';
import { goString, writeValue } from '../../../src/go/json/write.js';
import { decodeUtf8Bytes } from '../../../src/go/utf8.js';
import type { Value } from '../../../src/go/value.js';
import type { Difference } from '../figures.js';
import type { CorpusCase } from '../files.js';
import { bytesOf, firstDifference } from './inputs.js';

const members = ['result', 'asKey', 'error', 'standard', 'standardError', 'strictErrors'];

/**
 * By class: strings written, texts read without a type, custom resources; `document` and `wrong-type` are decoded into Go types by a
 * separate module.
 */
export async function difference(recorded: CorpusCase): Promise<string | undefined> {
  const className = recorded.name.split('/')[1] ?? '';
  if (className === 'document' || className === 'wrong-type') return (await typedDifference())(recorded);
  return firstDifference(recorded, answerOf({ class: className, ...recorded }), members);
}

/** Result of the table's function for the classes without Go types. */
export function answerOf(question: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (question['class'] === 'string') return written(String(question['bytesBase64']));
  const text = bytesOf(question, 'json');
  if (question['class'] === 'custom-resource') return read(() => writeValue(readUnstructuredObject(text), 'sorted'), 'result', 'error');
  return untyped(text, question['expand'] === undefined);
}

async function typedDifference(): Promise<Difference> {
  const module = './go-json-typed.js';
  const found = [module, './go-json-typed.ts'].some(m => existsSync(fileURLToPath(new URL(m, import.meta.url))));
  return found ? ((await import(module)) as { difference: Difference }).difference : () => 'nothing compares this class yet';
}

function written(bytesBase64: string): Readonly<Record<string, unknown>> {
  const text = decodeUtf8Bytes(Buffer.from(bytesBase64, 'base64'));
  return { result: goString(text), asKey: `{${goString(text)}:1}` };
}

/** With results, unless the input is so long that the table leaves them out. */
function untyped(text: string, withResults: boolean): Readonly<Record<string, unknown>> {
  const write = (value: Value) => (withResults ? writeValue(value, 'sorted') : undefined);
  const found = {
    ...read(() => write(readWithFloats(text)), 'standard', 'standardError'),
    ...read(() => write(readUnstructured(text)), 'result', 'error'),
  };
  if ('error' in found) return found;
  const { strictErrors } = readUnstructuredStrict(text);
  return strictErrors.length === 0 ? found : { ...found, strictErrors };
}

function read(result: () => string | undefined, resultMember: string, errorMember: string): Readonly<Record<string, unknown>> {
  try {
    const text = result();
    return text === undefined ? {} : { [resultMember]: text };
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof JsonTypeError || error instanceof UnstructuredError) {
      return { [errorMember]: error.message };
    }
    throw error;
  }
}
