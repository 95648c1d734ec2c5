import { isKnownFormat } from '../../../apis/apiextensions/custom-resource-definition/validation/format-warnings.js';
import type { Report } from '../../../apiserver/report/report.js';
import { allowWithoutSending } from '../../../client/run/allowing-webhook.js';
import { answerWithEffects } from '../../../client/run/run-calls.js';
import { writeValue } from '../../../go/json/write.js';
import { listAt, mapAt, stringAt, type ValueMap } from '../../../go/value.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { isDefinition } from '../../../kubernetes/definition-resources.js';
import { defaultServerOptions } from '../../../kubernetes/server-options.js';
import { kindOf } from '../../../kubernetes/storage.js';
import type { FoundByRule, LintFinding } from '../../../lint/rule.js';
import { schemaNodes } from '../../../lint/schema-nodes.js';
import { effectsFor } from '../../shell/effects.js';
import { pointerInDefinition, pointerOfField, pointerOfQuoted } from './field-pointer.js';

/**
 * Returns the API server's findings for a webhook configuration or a definition: the causes of its refusal, or its warnings. Unknown fields are
 * refused, as for kubectl, or warned about. Throws CliError when it cannot be checked: schemas may be nested too deep.
 */
export async function findCausesOfRefusal(
  server: ApiServer,
  object: ValueMap,
  fieldValidation: 'Strict' | 'Warn' = 'Strict',
): Promise<FoundByRule[]> {
  const { group, kind } = kindOf(object);
  const found = (message: string, severity: LintFinding['severity'], pointer: string): FoundByRule => {
    const refused = severity === 'error';
    const finding = {
      rule: refused ? 'api-refuses' : 'api-warns',
      severity,
      configuration: stringAt(object, 'metadata', 'name'),
      webhook: '',
      message,
      reason: refused ? 'the API server refuses it' : 'the API server warns about it',
      fix: unknownFormat.test(message) ? 'remove the format, or use one that the API server checks: it ignores this one' : '',
    };
    return { finding, place: { object, pointer: isDefinition(object) ? pointerInDefinition(pointer) : pointer } };
  };
  const apiVersion = stringAt(object, 'apiVersion');
  if (apiVersion !== `${group}/v1`) return [found(`no matches for kind "${kind}" in version "${apiVersion}"`, 'error', '/apiVersion')];
  const { status, warnings } = (await createAlone(server, object, fieldValidation)).decision;
  const causes = listAt(mapAt(status, 'details'), 'causes');
  const message = stringAt(status, 'message');
  const refusals =
    causes.length > 0
      ? causes.map(cause => ({
          text: `${stringAt(cause, 'field')}: ${stringAt(cause, 'message')}`,
          pointer: pointerOfField(stringAt(cause, 'field')),
        }))
      : message === ''
        ? []
        : [{ text: message, pointer: pointerOfQuoted(message) }];
  return [
    ...refusals.map(({ text, pointer }) => found(text, 'error', pointer)),
    ...warnings.map(text => found(text, 'warning', pointerOfFormat(server, object, text) ?? pointerOfQuoted(text))),
  ];
}

/** Source: apiextensions-apiserver registry/customresourcedefinition/strategy.go WarningsOnCreate. */
const unknownFormat = /^unrecognized format "(?<format>[^"]*)"$/;

/** Returns the place of the first field with the format that a warning names; undefined for other warnings. */
function pointerOfFormat(server: ApiServer, object: ValueMap, warning: string): string | undefined {
  const format = unknownFormat.exec(warning)?.groups?.['format'];
  if (format === undefined || !isDefinition(object)) return undefined;
  const node = schemaNodes({ name: '', place: { object, pointer: '' } }).find(
    ({ schema }) => stringAt(schema, 'format') === format && !isKnownFormat(server, format, stringAt(schema, 'type')),
  );
  return node === undefined ? undefined : `${node.pointer}/format`;
}

/** Creates an object of a group in its v1 in a cluster that has nothing else, without calling a webhook. */
export function createAlone(server: ApiServer, object: ValueMap, fieldValidation: 'Strict' | 'Warn'): Promise<Report> {
  const { group, kind } = kindOf(object);
  const state: ClusterState = { server, objects: [], presumesNamespaces: true, options: defaultServerOptions };
  const plural = `${kind.toLowerCase()}s`.replace(/ys$/, 'ies');
  const path = `/apis/${group}/v1/${plural}?fieldValidation=${fieldValidation}`;
  const call = {
    method: 'POST',
    path,
    contentType: 'application/json',
    userAgent: undefined,
    headers: {},
    body: bodyOf(object),
    user: undefined,
  };
  return answerWithEffects(call, state, () => effectsFor(allowWithoutSending));
}

/** Returns the body to post, without fields that only stored objects have. */
function bodyOf(object: ValueMap): Uint8Array {
  const metadata = new Map(mapAt(object, 'metadata') ?? []);
  for (const key of ['resourceVersion', 'uid', 'creationTimestamp', 'generation', 'managedFields', 'selfLink']) metadata.delete(key);
  const sent = new Map([...object, ['metadata', metadata] as const]);
  sent.delete('status');
  return Buffer.from(writeValue(sent, 'kept'));
}
