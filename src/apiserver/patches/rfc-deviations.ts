import type { Operation } from 'fast-json-patch';

/**
 * Returns a sentence about the first operation that the API server accepts and RFC 6902 does not; undefined when there is none. The library
 * is loaded lazily.
 */
export async function findRfcDeviation(documentText: string, patchText: string): Promise<string | undefined> {
  // Only the default import works from native ESM.
  const { default: strict } = await import('fast-json-patch');
  let document = JSON.parse(documentText) as unknown;
  const operations = (JSON.parse(patchText) ?? []) as readonly Operation[];
  for (const [i, operation] of operations.entries()) {
    const why = startsWrong(operation);
    if (why !== undefined) return sentence(operation, i, why);
    try {
      document = strict.applyOperation(document, operation, true, true).newDocument;
    } catch (error) {
      // Other errors (the library refuses `__proto__`, for one) are unrelated to the RFC.
      return error instanceof strict.JsonPatchError ? sentence(operation, i, reasonOf(error.name)) : undefined;
    }
  }
  return undefined;
}

function startsWrong(operation: Operation): string | undefined {
  if (!('from' in operation) || typeof operation.from !== 'string' || operation.from === '' || operation.from.startsWith('/'))
    return undefined;
  return 'a pointer begins with a slash';
}

function sentence(operation: Operation, index: number, why: string): string {
  return `relies on the API server's leniency: operation ${index + 1} (${operation.op} ${JSON.stringify(operation.path)}): by RFC 6902 ${why}`;
}

function reasonOf(name: string): string {
  return reasons.get(name) ?? 'the operation is not valid';
}

/** Messages for the library's error names. */
const reasons: ReadonlyMap<string, string> = new Map([
  ['OPERATION_PATH_INVALID', 'a pointer begins with a slash'],
  ['OPERATION_PATH_UNRESOLVABLE', 'what the path names must exist'],
  ['OPERATION_PATH_CANNOT_ADD', 'what the value is added to must exist'],
  ['OPERATION_PATH_ILLEGAL_ARRAY_INDEX', 'an index is digits without a sign'],
  ['OPERATION_VALUE_OUT_OF_BOUNDS', 'an index may not be beyond the end of the list'],
  ['OPERATION_FROM_REQUIRED', 'the operation needs "from"'],
  ['OPERATION_FROM_UNRESOLVABLE', 'what "from" names must exist'],
  ['OPERATION_VALUE_REQUIRED', 'the operation needs a "value"'],
  ['TEST_OPERATION_FAILED', 'the test fails'],
]);
