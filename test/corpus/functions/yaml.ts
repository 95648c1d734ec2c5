import { YamlError, yamlToJson, yamlToJsonStrict } from '../../../src/encoding/yaml.js';
import { encodeUtf8Bytes } from '../../../src/go/utf8.js';
import type { CorpusCase } from '../files.js';
import { bytesOf, firstDifference } from './inputs.js';

/** `yaml` in; `json` or `error` out, and `strictError` where the strict reader says otherwise. */
export function difference(recorded: CorpusCase): string | undefined {
  return firstDifference(recorded, answerOf(recorded), ['json', 'jsonLength', 'error', 'strictError', 'strictJSON']);
}

/** Result of the table's function. */
export function answerOf(question: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const text = bytesOf(question, 'yaml');
  const lenient = outcomeOf(() => yamlToJson(text));
  const strict = outcomeOf(() => yamlToJsonStrict(text));
  const found: Record<string, unknown> = {};
  if (lenient.json === undefined) found['error'] = lenient.error;
  else if (question['expand'] === undefined) found['json'] = lenient.json;
  else found['jsonLength'] = encodeUtf8Bytes(lenient.json).length;
  if (strict.error !== undefined && strict.error !== lenient.error) found['strictError'] = strict.error;
  if (strict.json !== undefined && strict.json !== lenient.json) found['strictJSON'] = strict.json;
  return found;
}

function outcomeOf(read: () => string): { readonly json?: string; readonly error?: string } {
  try {
    return { json: read() };
  } catch (error) {
    if (error instanceof YamlError) return { error: error.message };
    throw error;
  }
}
