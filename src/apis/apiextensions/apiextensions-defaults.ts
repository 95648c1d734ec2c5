import { constants, type DefaultRules, isAbsent, setDefault, sizeOfValue } from '../../apiserver/objects/default-rules.js';
import { ensureMap, isMap, listAt, stringAt, type Value, type ValueMap } from '../../go/value.js';

/** Defaults of custom resource definitions and API services. Source: apiextensions-apiserver and kube-aggregator defaults.go. */
export const apiextensionsDefaults: DefaultRules = {
  'apiextensions/v1.CustomResourceDefinition': definition => {
    nameByKind(ensureMap(definition, 'spec'));
    convertByNone(ensureMap(definition, 'spec'));
    storeOne(definition);
  },
  'apiextensions/v1beta1.CustomResourceDefinition': definition => {
    const spec = ensureMap(definition, 'spec');
    setDefault(spec, 'scope', 'Namespaced');
    nameByKind(spec);
    pairVersions(spec);
    convertByNone(spec);
    const conversion = ensureMap(spec, 'conversion');
    if (conversion.get('strategy') === 'Webhook' && sizeOfValue(conversion, 'conversionReviewVersions') === 0) {
      conversion.set('conversionReviewVersions', ['v1beta1']);
    }
    setDefault(spec, 'preserveUnknownFields', true);
    storeOne(definition);
  },
  'apiextensions/v1.ServiceReference': constants({ port: 443n }),
  'apiextensions/v1beta1.ServiceReference': constants({ port: 443n }),
  'apiregistration/v1.ServiceReference': constants({ port: 443n }),
  'apiregistration/v1beta1.ServiceReference': constants({ port: 443n }),
};

function nameByKind(spec: ValueMap): void {
  const names = ensureMap(spec, 'names');
  const kind = stringAt(names, 'kind');
  if (kind === '') return;
  setDefault(names, 'singular', lowerCase(kind));
  setDefault(names, 'listKind', `${kind}List`);
}

/** Lower-cases a text letter by letter, as Go does: no final sigma, no special casing with combining marks. */
function lowerCase(text: string): string {
  return [...text].map(letter => [...letter.toLowerCase()][0] ?? letter).join('');
}

function convertByNone(spec: ValueMap): void {
  if (isAbsent(spec, 'conversion')) spec.set('conversion', new Map([['strategy', 'None']]));
}

/** Keeps `version` and `versions` of the old API in sync: each sets the other. */
function pairVersions(spec: ValueMap): void {
  const version = stringAt(spec, 'version');
  const [first] = listAt(spec, 'versions');
  if (first === undefined && version !== '') {
    const only: Value = new Map<string, Value>([
      ['name', version],
      ['served', true],
      ['storage', true],
    ]);
    spec.set('versions', [only]);
  } else if (first !== undefined && version === '' && stringAt(first, 'name') !== '') spec.set('version', stringAt(first, 'name'));
}

function storeOne(definition: ValueMap): void {
  const status = ensureMap(definition, 'status');
  if (sizeOfValue(status, 'storedVersions') > 0) return;
  const storage = listAt(definition, 'spec', 'versions').find(version => isMap(version) && version.get('storage') === true);
  if (storage !== undefined) status.set('storedVersions', [stringAt(storage, 'name')]);
}
