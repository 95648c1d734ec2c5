import { ownMember } from '../../go/own-members.js';
import { decodeUtf8Bytes } from '../../go/utf8.js';
import { notFound, requestEntityTooLarge, unroutedMediaType, unsupportedMediaType } from '../../kubernetes/status-errors.js';
import type { CallContext, VerbAnswer } from '../call/call-context.js';
import { writeOptions } from '../call/request-options.js';
import { encodedObject } from '../objects/encoded-object.js';
import { readStoredObject } from '../storage/stored-object.js';
import { apply } from './apply.js';
import { applyClientPatch, checkIsJson, type PatchType } from './apply-client-patch.js';
import { mutate } from './mutate.js';
import { checkMetadata } from './patch-metadata.js';
import { dropManagedFields, recordManagedFields } from './record-managed-fields.js';
import { partStorageOf } from './rest-storage.js';
import { storeUpdate, type UpdateAttempt, updateAttributes } from './update.js';
import { writeWithinLimit } from './within-limit.js';

const bodyLimit = 3145728;

/** Handles a PATCH. Source: apiserver handlers/patch.go. */
export async function patch(context: CallContext): Promise<VerbAnswer> {
  const type = patchTypeOf(context);
  const raw = context.call.body ?? new Uint8Array();
  if (raw.length > bodyLimit) throw requestEntityTooLarge(`limit is ${bodyLimit}`);
  if (type === 'apply') return apply(context);
  const part = partStorageOf(context);
  if (part !== undefined) return part.patch(context, type, decodeUtf8Bytes(raw));
  const options = writeOptions(context.server, 'PatchOptions', context.query, context.query.has('force') ? [forceForbidden] : []);
  const text = decodeUtf8Bytes(raw);
  checkIsJson(context.server, text);
  const attemptWith = (keepsManagedFields: boolean): UpdateAttempt => {
    const attempt: UpdateAttempt = async at => {
      const old = await readStoredObject(at, options.dryRun);
      if (old === undefined) throw notFound(at.endpoint.resource, at.info.name);
      at.effects.steps?.enter({ kind: 'patch', phase: 'request' }, encodedObject(old));
      const { object, warnings } = applyClientPatch({ type, text, validation: options.fieldValidation }, old);
      at.record.warnings.push(...warnings);
      const change = { object, old, options };
      await recordManagedFields(object, old, options, at);
      checkMetadata(object, at);
      await mutate(updateAttributes(change, at), at);
      if (!keepsManagedFields) dropManagedFields(object);
      return storeUpdate(change, attempt, at);
    };
    return attempt;
  };
  return writeWithinLimit(attemptWith(true), attemptWith(false), context);
}

const forceForbidden = {
  type: 'FieldValueForbidden',
  field: 'force',
  badValue: '',
  detail: 'may not be specified for non-apply patch',
} as const;

const patchTypes: Readonly<Record<string, PatchType>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

const customPatchTypes = ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml'];

/** Media type of a configuration in CBOR to apply. */
const applyCbor = 'application/apply-patch+cbor';

/** Throws a 415 for a body that is not a supported patch. */
export function checkPatchType(context: CallContext): void {
  patchTypeOf(context);
}

function patchTypeOf({ call, endpoint, server }: CallContext): PatchType {
  const mediaType = (call.contentType ?? '').replace(/(?<=.);.*$/s, '');
  const type = ownMember(patchTypes, mediaType);
  if (type !== undefined && !(type === 'strategic' && endpoint.resource.custom)) return type;
  const hasCbor = server.isEnabled('CBORServingAndStorage');
  if (hasCbor && mediaType === applyCbor) return 'apply';
  if (endpoint.resource.custom) throw unsupportedMediaType([...customPatchTypes, ...(hasCbor ? [applyCbor] : [])]);
  throw unroutedMediaType();
}
