import { quote } from '../../../go/quote.js';
import { isMap, listAt, type ValueMap } from '../../../go/value.js';
import { addErrors, merge, newResult, type SchemaResult, unplaced } from './schema-result.js';

/**
 * Validates anyOf, oneOf, allOf and not: `validate` validates the same value against another schema. Source: kube-openapi
 * validate/schema_props.go.
 */
export function combinedResult(schema: ValueMap, path: string, validate: (branch: ValueMap) => SchemaResult): SchemaResult {
  const result = newResult();
  const errorWith = (text: string) => unplaced(`${quote(path)} ${text}`);
  anyOf(
    branchesOf(schema, 'anyOf').map(branch => () => validate(branch)),
    result,
    errorWith,
  );
  oneOf(branchesOf(schema, 'oneOf').map(validate), result, errorWith);
  const all = branchesOf(schema, 'allOf').map(validate);
  for (const branch of all) merge(result, branch);
  const valid = all.filter(branch => branch.errors.length === 0).length;
  if (valid < all.length) addErrors(result, [errorWith(`must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`)]);
  const not = schema.get('not');
  if (isMap(not) && validate(not).errors.length === 0) addErrors(result, [errorWith('must not validate the schema (not)')]);
  result.matches += 1;
  return result;
}

type ErrorWith = (text: string) => ReturnType<typeof unplaced>;

function branchesOf(schema: ValueMap, name: string): ValueMap[] {
  return listAt(schema, name).filter(isMap);
}

/** Validates anyOf; the first matching branch ends it, and if none matches, the errors of the best match are reported. */
function anyOf(branches: readonly (() => SchemaResult)[], result: SchemaResult, errorWith: ErrorWith): void {
  let best: SchemaResult | undefined;
  for (const validate of branches) {
    const found = validate();
    if (found.errors.length === 0) {
      merge(result, found);
      return;
    }
    if (best === undefined || found.matches > best.matches) best = found;
  }
  if (best === undefined) return;
  addErrors(result, [errorWith('must validate at least one schema (anyOf)')]);
  merge(result, best);
}

function oneOf(branches: readonly SchemaResult[], result: SchemaResult, errorWith: ErrorWith): void {
  if (branches.length === 0) return;
  const valid = branches.filter(b => b.errors.length === 0);
  const [only] = valid;
  if (only !== undefined && valid.length === 1) {
    merge(result, only);
    return;
  }
  const what = valid.length === 0 ? 'Found none valid' : `Found ${valid.length} valid alternatives`;
  addErrors(result, [errorWith(`must validate one and only one schema (oneOf). ${what}`)]);
  if (valid.length === 0)
    merge(
      result,
      branches.reduce((best, b) => (b.matches > best.matches ? b : best)),
    );
}
