import { parseApiVersion } from '../../src/kubernetes/group-version.js';
import { registeredKinds, schemaOfKind } from '../../src/kubernetes/type-table.js';
import { answerOf as defaulted } from '../corpus/functions/defaulting.js';
import { answerOf as decoded } from '../corpus/functions/go-json-typed.js';
import { server } from '../support/server.js';
import { compareWithOracle, countAndSeed, type OracleAnswer, type Question } from './oracle.js';
import { type Random, randomFrom } from './random.js';
import { randomDocument } from './random-document.js';

/**
 * Compares random objects of all built-in kinds with the API server's types: decoded and encoded again, and defaulted through the internal
 * version. `ASK_FUNCTIONS=... node dist/test/differential/built-in-objects.js [COUNT] [SEED] [KIND]`
 */
const { count, seed } = countAndSeed();
const random = randomFrom(seed);
const only = process.argv[4];

/** Kinds without an internal version. */
const left = /^meta\.k8s\.io|\/ConversionReview$/;
const kinds = registeredKinds(server).filter(kind => !left.test(kind) && (only === undefined || kind.endsWith(only)));

await compareWithOracle({
  questions: Array.from({ length: count }, () => question(random)),
  normalized: withoutClock,
  answer: q => (q['fn'] === 'defaulting' ? defaulted(String(q['document'])) : decoded(String(q['json']))),
});

/** The time of a device taint defaults to the present. */
function withoutClock(expected: OracleAnswer): OracleAnswer {
  const { result } = expected;
  return typeof result === 'string' ? { ...expected, result: result.replaceAll(/,"timeAdded":"(?!2024)[^"]*"/g, '') } : expected;
}

function question(r: Random): Question {
  const name = r.pick(kinds);
  const at = name.lastIndexOf('/');
  const [apiVersion, kind] = [name.slice(0, at), name.slice(at + 1)];
  const groupVersion = parseApiVersion(apiVersion);
  const schema = groupVersion === undefined ? undefined : schemaOfKind(server, { ...groupVersion, kind });
  if (schema === undefined) throw new Error(`no schema for ${name}`);
  const text = randomDocument(r, schema, { apiVersion, kind, odd: { percent: r.pick([0, 0, 0, 1, 3]) } });
  return r.chance(70) ? { fn: 'defaulting', document: text } : { fn: 'go-json', class: 'document', json: text };
}
