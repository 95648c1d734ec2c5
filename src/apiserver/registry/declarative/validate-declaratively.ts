import { isMap, mapAt, type ValueMap } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import type { FieldError } from '../../../kubernetes/field-error.js';
import type { GroupVersionKind } from '../../../kubernetes/group-version.js';
import type { Schema } from '../../../kubernetes/schema.js';
import { schemaOfKind, structNamed } from '../../../kubernetes/type-table.js';
import { memberSite, sameValues, type ValidationSite } from './site.js';
import { declaredTypes, type ValidationStep, type ValidatorStep } from './steps.js';
import { validators } from './validators.js';

/**
 * Returns the errors of declarative validation that are enforced, in the order of the generated functions: those of beta tags while their gate
 * is enabled, those without a stage always, those of alpha tags never. Objects are in the version of the request. Source: apiserver
 * registry/rest/validate.go, the functions in pkg/apis/GROUP/VERSION/zz_generated.validations.go.
 */
export function declaredErrors(
  server: ApiServer,
  { kind, subresource }: { readonly kind: GroupVersionKind; readonly subresource: string },
  object: ValueMap,
  old: ValueMap | undefined,
): FieldError[] {
  const type = declaredTypes(server)?.typeOf(kind, subresource);
  return type === undefined ? [] : structErrors(server, { type, path: '', schema: schemaOfKind(server, kind) }, object, old);
}

const metadataType = 'meta/v1.ObjectMeta';

/** Returns the errors of declarative validation in the metadata of a changed custom resource. Source: apimachinery ValidateObjectMetaDeclaratively. */
export function declaredMetadataErrors(server: ApiServer, object: ValueMap, old: ValueMap): FieldError[] {
  const metadata = (each: ValueMap): ValueMap => mapAt(each, 'metadata') ?? new Map();
  const struct = { type: metadataType, path: 'metadata', schema: structNamed(server, metadataType) };
  return structErrors(server, struct, metadata(object), metadata(old));
}

interface DeclaredStruct {
  readonly type: string;
  readonly path: string;
  readonly schema: Schema | undefined;
}

function structErrors(server: ApiServer, struct: DeclaredStruct, value: ValueMap, old: ValueMap | undefined): FieldError[] {
  const { type, path, schema } = struct;
  const site: ValidationSite = {
    ...{ server, path, value, old, schema, run },
    isUpdate: old !== undefined,
    hasOld: old !== undefined,
    pointer: true,
    named: true,
  };
  return run(site, [['type', type]]);
}

/** Runs steps in their order. Steps whose failure ends the others come first, and all of them run. */
function run(site: ValidationSite, steps: readonly ValidationStep[]): FieldError[] {
  const errors: FieldError[] = [];
  let isEnding = false;
  for (const step of steps) {
    if (isEnding && !endsOthers(step)) break;
    const found = errorsOf(site, step);
    if (found.length === 0) continue;
    if (endsOthers(step)) isEnding = true;
    if (isReported(site.server, step)) errors.push(...found);
  }
  return errors;
}

function endsOthers(step: ValidationStep): boolean {
  return isValidator(step) && step[1].includes('s');
}

function isReported(server: ApiServer, step: ValidationStep): boolean {
  if (!isValidator(step)) return true;
  const [, marks] = step;
  if (marks.includes('q') || marks.includes('a')) return false;
  return !marks.includes('b') || server.isEnabled('DeclarativeValidationBeta');
}

function isValidator(step: ValidationStep): step is ValidatorStep {
  return step[0] !== 'field' && step[0] !== 'type' && step[0] !== 'cohort';
}

function errorsOf(site: ValidationSite, step: ValidationStep): FieldError[] {
  if (isValidator(step)) {
    const [name, , ...args] = step;
    const validator = validators.get(name);
    if (validator === undefined) throw new Error(`the declared validator ${name} is not implemented`);
    return validator(site, args);
  }
  const [kind, second] = step;
  if (kind === 'cohort') return run(site, second as readonly ValidationStep[]);
  return kind === 'field' ? fieldErrors(site, step as FieldStep) : typeErrors(site, String(second));
}

type FieldStep = Extract<ValidationStep, readonly ['field', ...unknown[]]>;

function typeErrors(site: ValidationSite, struct: string): FieldError[] {
  const value = site.schema?.type === 'struct' && !isMap(site.value) ? new Map() : site.value;
  return run({ ...site, value }, declaredTypes(site.server)?.stepsOf(struct) ?? []);
}

/** An unchanged member is not validated again. */
function fieldErrors(site: ValidationSite, [, name, flags, steps]: FieldStep): FieldError[] {
  const member = name === null ? site : memberSite(site, name, flags.includes('n'));
  const isRatcheted = flags.includes('r') && site.isUpdate && site.hasOld;
  return isRatcheted && sameValues(member, member.value, member.old) ? [] : run(member, steps);
}
