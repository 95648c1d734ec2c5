import { decodeGoBase64 } from '../../../../go/base64.js';
import { listAt, mapAt, stringAt, type Value, type ValueMap, valueAt } from '../../../../go/value.js';
import { isEstablished } from '../../../../kubernetes/definition-resources.js';
import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '../../../../kubernetes/field-error.js';
import { dns1035LabelProblems } from '../../../../kubernetes/name-rules.js';
import { bundleError, bundleText } from '../../../../x509/bundle.js';
import { clientConfigErrors } from '../../../admissionregistration/webhook-configuration/webhook-client-config.js';

const field = 'spec.conversion';
const known = ['v1', 'v1beta1'];

/**
 * Validates `spec.conversion`; paths are those of the internal type. Source: apiextensions-apiserver validation.go
 * validateCustomResourceConversion.
 */
export function conversionErrors(
  conversion: ValueMap | undefined,
  { definition, old }: { readonly definition: ValueMap; readonly old: ValueMap | undefined },
): FieldError[] {
  if (conversion === undefined) return [];
  const strategy = stringAt(conversion, 'strategy');
  const errors: FieldError[] = [];
  if (strategy === '') errors.push(required(`${field}.strategy`, ''));
  else if (strategy !== 'None' && strategy !== 'Webhook') errors.push(notSupported(`${field}.strategy`, strategy, ['None', 'Webhook']));
  const client = mapAt(conversion, 'webhook', 'clientConfig');
  const versions = listAt(conversion, 'webhook', 'conversionReviewVersions').map(String);
  if (strategy !== 'Webhook') {
    const message = 'should not be set when strategy is not set to Webhook';
    if (client !== undefined) errors.push(forbiddenField(`${field}.webhookClientConfig`, message));
    if (versions.length > 0) errors.push(forbiddenField(`${field}.conversionReviewVersions`, message));
    return errors;
  }
  const path = `${field}.webhookClientConfig`;
  if (client === undefined) errors.push(required(path, 'required when strategy is set to Webhook'));
  else errors.push(...clientConfigErrors(client, path), ...bundleErrors(client, `${path}.caBundle`, { definition, old }));
  const before = listAt(old, 'spec', 'conversion', 'webhook', 'conversionReviewVersions');
  const mayBeUnknown = before.length > 0 && !before.some(v => known.includes(String(v)));
  return [...errors, ...reviewVersionErrors(versions, mayBeUnknown)];
}

function reviewVersionErrors(versions: readonly string[], mayBeUnknown: boolean): FieldError[] {
  const path = `${field}.conversionReviewVersions`;
  if (versions.length === 0) return [required(path, '')];
  const errors = versions.flatMap((version, i) => {
    if (versions.indexOf(version) < i) return [invalidValue(`${path}[${i}]`, version, 'duplicate version')];
    return dns1035LabelProblems(version).map(problem => invalidValue(`${path}[${i}]`, version, problem));
  });
  if (mayBeUnknown || versions.some(v => known.includes(v))) return errors;
  return [...errors, invalidValue(path, { rawJson: JSON.stringify(versions) }, `must include at least one of ${known.join(', ')}`)];
}

/** Validates the CA bundle; an invalid one passes until the definition is served, and when it was invalid before. */
function bundleErrors(
  client: ValueMap,
  path: string,
  { old }: { readonly definition: ValueMap; readonly old: ValueMap | undefined },
): FieldError[] {
  const problem = bundleProblem(client.get('caBundle'));
  if (problem === undefined || old === undefined) return [];
  const wasWrong = bundleProblem(valueAt(old, 'spec', 'conversion', 'webhook', 'clientConfig', 'caBundle')) !== undefined;
  if (!isEstablished(old) || wasWrong) return [];
  return [invalidValue(path, { rawJson: JSON.stringify(stringAt(client, 'caBundle')) }, `unable to load root certificates: ${problem}`)];
}

/** Returns why the caBundle of a client configuration cannot be used; undefined if it can, or is empty. */
export function bundleProblem(bundle: Value | undefined): string | undefined {
  return typeof bundle === 'string' ? bundleError(bundleText(decodeGoBase64(bundle))) : undefined;
}
