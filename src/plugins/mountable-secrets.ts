import { parseBool } from '../go/parse-float.js';
import { isMap, listAt, stringAt, type Value, type ValueMap, valueAt } from '../go/value.js';

const containerLists = [
  ['initContainers', 'init container'],
  ['containers', 'container'],
  ['ephemeralContainers', 'ephemeral container'],
] as const;

/**
 * Returns the reason why a pod may not use a secret that its service account does not list; undefined when it may, or when the account does
 * not enforce it by annotation. Source: kubernetes plugin/pkg/admission/serviceaccount limitSecretReferences.
 */
export function mountableSecretsRefusal(pod: ValueMap, account: ValueMap): string | undefined {
  if (parseBool(stringAt(account, 'metadata', 'annotations', 'kubernetes.io/enforce-mountable-secrets')) !== true) return undefined;
  const listed = new Set(listAt(account, 'secrets').map(s => stringAt(s, 'name')));
  const because = `because service account ${stringAt(account, 'metadata', 'name')} does not reference that`;
  for (const volume of listAt(pod, 'spec', 'volumes')) {
    const name = stringAt(volume, 'secret', 'secretName');
    if (isMap(valueAt(volume, 'secret')) && !listed.has(name))
      return `volume with secret.secretName="${name}" is not allowed ${because} secret`;
  }
  for (const [list, message] of containerLists) {
    for (const container of listAt(pod, 'spec', list)) {
      const found = containerRefusal(container, message, listed);
      if (found !== undefined) return `${found} is not allowed ${because} secret`;
    }
  }
  const pullable = new Set(listAt(account, 'imagePullSecrets').map(s => stringAt(s, 'name')));
  const names = listAt(pod, 'spec', 'imagePullSecrets').map(s => stringAt(s, 'name'));
  const at = names.findIndex(name => !pullable.has(name));
  return at < 0 ? undefined : `imagePullSecrets[${at}].name="${names[at]}" is not allowed ${because} imagePullSecret`;
}

function containerRefusal(container: Value, message: string, listed: ReadonlySet<string>): string | undefined {
  const name = stringAt(container, 'name');
  for (const variable of listAt(container, 'env')) {
    const secret = stringAt(variable, 'valueFrom', 'secretKeyRef', 'name');
    if (isMap(valueAt(variable, 'valueFrom', 'secretKeyRef')) && !listed.has(secret)) {
      return `${message} ${name} with envVar ${stringAt(variable, 'name')} referencing secret.secretName="${secret}"`;
    }
  }
  for (const source of listAt(container, 'envFrom')) {
    const secret = stringAt(source, 'secretRef', 'name');
    if (isMap(valueAt(source, 'secretRef')) && !listed.has(secret))
      return `${message} ${name} with envFrom referencing secret.secretName="${secret}"`;
  }
  return undefined;
}
