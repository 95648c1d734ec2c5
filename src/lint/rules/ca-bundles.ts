import { Base64Error, decodeGoBase64 } from '../../go/base64.js';
import { listAt, mapAt, stringAt, type ValueMap } from '../../go/value.js';
import type { BundleFault } from '../../x509/bundle-faults.js';
import type { LintedDefinition, LintedWebhook, LintRule, LintSubject, RuleProblem } from '../rule.js';

/** A caBundle with which no call can succeed. */
export const unusableCaBundle: LintRule = {
  id: 'unusable-ca-bundle',
  severity: 'error',
  reason:
    'calls fail with any serving certificate, a definition or an APIService with it is not served, and applying it conflicts with the tool that injects the CA',
  fix: 'inject the CA (webhook-cli certs inject), or leave caBundle out where a tool such as cert-manager writes it',
  check: subject => checkBundles(subject, ({ kind }) => kind !== 'leaf'),
};

/** A caBundle that contains the serving certificate in place of its CA. */
export const caBundleOfLeaf: LintRule = {
  id: 'ca-bundle-of-leaf',
  severity: 'warning',
  reason: 'calls fail as soon as the serving certificate is renewed, until the configuration is changed as well',
  fix: 'inject the CA that signs the serving certificates: webhook-cli certs inject',
  check: subject => checkBundles(subject, ({ kind }) => kind === 'leaf'),
};

async function checkBundles(subject: LintSubject, isWanted: (fault: BundleFault) => boolean): Promise<RuleProblem[]> {
  const bundles = bundlesOf(subject);
  if (bundles.length === 0) return [];
  const { bundleFaults } = await import('../../x509/bundle-faults.js');
  return groupsOf(bundles).flatMap(([{ about, at, text, effectOf }, ...others]) => {
    const fault = bundleFaults(text, subject.now).find(isWanted);
    if (fault === undefined) return [];
    const count =
      others.length === 1 ? '1 more webhook of the configuration has' : `${others.length} more webhooks of the configuration have`;
    const more = others.length === 0 ? '' : `; ${count} it, too`;
    return [{ about, at, message: `${fault.message}${effectOf(fault)}${more}` }];
  });
}

/** Returns the bundles by their object and text: tools write the same one for every webhook of a configuration. */
function groupsOf(bundles: readonly Bundle[]): [Bundle, ...Bundle[]][] {
  const groups: [Bundle, ...Bundle[]][] = [];
  for (const bundle of bundles) {
    const same = groups.find(([first]) => first.about.place.object === bundle.about.place.object && first.text === bundle.text);
    if (same === undefined) groups.push([bundle]);
    else same.push(bundle);
  }
  return groups;
}

interface Bundle extends Pick<RuleProblem, 'about' | 'at'> {
  readonly text: string;
  /** Returns what the API server does with such a bundle, from the comma on. */
  readonly effectOf: (fault: BundleFault) => string;
}

function bundlesOf({ webhooks, definitions, apiServices = [] }: LintSubject): Bundle[] {
  return [...webhooks.flatMap(bundleOfWebhook), ...definitions.flatMap(bundleOfConversion), ...apiServices.flatMap(bundleOfApiService)];
}

function bundleOfWebhook(about: LintedWebhook): Bundle[] {
  const { object, pointer } = about.place;
  const own = listAt(object, 'webhooks')[Number(pointer.split('/').at(-1))];
  const caBundle = decoded(stringAt(own, 'clientConfig', 'caBundle'));
  if (caBundle === undefined || caBundle.length === 0) return [];
  const injector = injectorOf(object);
  const effectOf = ({ kind, error = '' }: BundleFault): string => {
    const until =
      injector === undefined
        ? ''
        : `, until the tool of the annotation ${injector} replaces it; a server-side apply of this file conflicts with that tool`;
    if (kind === 'unusable')
      return `: every call fails with "failed calling webhook "${about.name}": could not get REST client: ${error}"${until}`;
    return kind === 'expired' || kind === 'future' ? `: every call fails with "${error}"` : '';
  };
  return [{ about, at: '/clientConfig/caBundle', text: Buffer.from(caBundle).toString('latin1'), effectOf }];
}

/** The annotations with which cert-manager's cainjector, or the service CA of OpenShift, replaces every caBundle of an object. */
const injectors = [
  'cert-manager.io/inject-ca-from',
  'cert-manager.io/inject-ca-from-secret',
  'cert-manager.io/inject-apiserver-ca',
  'service.beta.openshift.io/inject-cabundle',
];

function injectorOf(object: ValueMap): string | undefined {
  const annotations = mapAt(object, 'metadata', 'annotations');
  return injectors.find(name => annotations?.has(name) === true);
}

function bundleOfConversion(about: LintedDefinition): Bundle[] {
  const conversion = mapAt(about.place.object, 'spec', 'conversion');
  const bytes =
    stringAt(conversion, 'strategy') === 'Webhook' ? decoded(stringAt(conversion, 'webhook', 'clientConfig', 'caBundle')) : undefined;
  if (bytes === undefined || bytes.length === 0) return [];
  const effectOf = ({ kind, error = '' }: BundleFault): string => {
    if (kind === 'unusable')
      return `: the definition is accepted but never established (kubectl: no matches for kind), and once it is established a change to this caBundle is refused with "${error}"`;
    return kind === 'expired' || kind === 'future' ? `: every conversion fails with "${error}"` : '';
  };
  const at = '/spec/conversion/webhook/clientConfig/caBundle';
  return [{ about, at, text: Buffer.from(bytes).toString('latin1'), effectOf }];
}

/** The API server accepts any caBundle of an APIService, and proxies nothing with one that it cannot use. */
function bundleOfApiService(about: LintedDefinition): Bundle[] {
  const bytes = decoded(stringAt(about.place.object, 'spec', 'caBundle'));
  if (bytes === undefined || bytes.length === 0) return [];
  const effectOf = ({ kind, error = '' }: BundleFault): string => {
    if (kind === 'unusable')
      return `: the APIService is accepted, but every request for ${about.name} is answered with 503 "service unavailable": ${error}`;
    return kind === 'expired' || kind === 'future' ? `: every call of the extension API server fails with "${error}"` : '';
  };
  return [{ about, at: '/spec/caBundle', text: Buffer.from(bytes).toString('latin1'), effectOf }];
}

/** The API server refuses what is not base64. */
function decoded(text: string): Uint8Array | undefined {
  try {
    return decodeGoBase64(text);
  } catch (error) {
    if (error instanceof Base64Error) return undefined;
    throw error;
  }
}
