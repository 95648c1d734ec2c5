import { lazy } from '../../../kubernetes/memoize.js';
import { knownSecrets } from '../../../redaction/known-secrets.js';
import { withoutSecrets } from '../../../redaction/secrets.js';
import { textWithoutSecrets } from '../../../redaction/text-secrets.js';
import { objectIn } from '../../../replay/json-spans.js';
import type { LoggedEvent } from '../../../replay/logged-event.js';

type HidingSecretsOf = (event: LoggedEvent) => (text: string) => string;

/**
 * Returns what removes the secrets of a call's objects from texts about it. It looks for them only in texts that no earlier call had: policies and most
 * webhooks say the same about all objects, but for their names. A text that the report has shown already shows nothing more.
 */
export function hidingSecrets(): HidingSecretsOf {
  const clean = new Set<string>();
  return event => {
    const hide = lazy(() => hidingSecretsOf(event));
    const { name, namespace } = event.objectRef;
    const withoutNames = (text: string): string =>
      [name, namespace].reduce((rest, one, i) => (one === '' ? rest : rest.replaceAll(one, `\0${i}`)), text);
    return text => {
      const key = withoutNames(text);
      if (clean.has(key)) return text;
      const hidden = hide()(text);
      if (hidden === text && clean.size < maxClean) clean.add(key);
      return hidden;
    };
  };
}

const maxClean = 1000;

/** Collects the secrets once for all texts of a call. */
function hidingSecretsOf({ requestText, responseText }: LoggedEvent): (text: string) => string {
  const objects = [requestText, responseText].map(objectIn).filter(object => object !== undefined);
  const known = objects.map(object => [object, withoutSecrets(object)] as const).filter(([object, clean]) => clean !== object);
  if (known.length === 0) return textWithoutSecrets;
  const hide = knownSecrets(known, undefined);
  return text => hide(textWithoutSecrets(text));
}
