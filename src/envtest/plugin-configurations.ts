import path from 'node:path';
import { listField, type Struct, textField, textsField } from '../cli/work/apiserver/go-fields.js';
import { CliError } from '../client/cli-error.js';
import { readKubeconfig } from '../cluster/kubeconfig/read-kubeconfig.js';
import { systemReason } from '../files/system-reason.js';
import { quote } from '../go/quote.js';
import { listAt, mapAt, stringAt, type ValueMap } from '../go/value.js';
import { duplicate, type FieldError, invalidValue, printFieldErrors } from '../kubernetes/field-error.js';
import { dns1123LabelProblems, longNameProblems } from '../kubernetes/name-rules.js';
import { levelNamed, minorOfPolicy, noLevel, noMinor } from '../plugins/pod-security/policy.js';

/** Form of a plugin's configuration. */
export interface ConfigurationShape {
  /** `group/version Kind`; none for a configuration without a type. */
  readonly types: readonly string[];
  readonly isStrict: boolean;
  /** Its struct, whose types are in the package of the version; undefined for one that is kept as it is. */
  readonly structOf?: (version: string) => Struct;
}

const modes = ['enforce', 'audit', 'warn'];

const tolerations = listField({
  goType: 'v1.Toleration',
  fields: {
    key: textField,
    operator: { goType: 'v1.TolerationOperator', is: 'string' },
    value: textField,
    effect: { goType: 'v1.TaintEffect', is: 'string' },
    tolerationSeconds: { goType: 'int64', is: 'number' },
  },
});

const scopes = listField({
  goType: 'v1.ScopedResourceSelectorRequirement',
  fields: {
    scopeName: { goType: 'v1.ResourceQuotaScope', is: 'string' },
    operator: { goType: 'v1.ScopeSelectorOperator', is: 'string' },
    values: textsField,
  },
});

const webhooks: ConfigurationShape = {
  types: ['apiserver.config.k8s.io/v1 WebhookAdmissionConfiguration'],
  isStrict: true,
  structOf: () => ({ goType: 'WebhookAdmission', fields: { kubeConfigFile: textField, staticManifestsDir: textField } }),
};

function policies(kind: string): ConfigurationShape {
  return {
    types: [`apiserver.config.k8s.io/v1 ${kind}`],
    isStrict: true,
    structOf: () => ({ goType: kind, fields: { staticManifestsDir: textField } }),
  };
}

/** Configurations that are supported, by plugin. */
export const shapes: ReadonlyMap<string, ConfigurationShape> = new Map<string, ConfigurationShape>([
  [
    'PodSecurity',
    {
      types: ['v1', 'v1beta1', 'v1alpha1'].map(version => `pod-security.admission.config.k8s.io/${version} PodSecurityConfiguration`),
      isStrict: true,
      structOf: version => ({
        goType: 'PodSecurityConfiguration',
        fields: {
          defaults: {
            goType: `${version}.PodSecurityDefaults`,
            fields: Object.fromEntries(modes.flatMap(mode => [mode, `${mode}-version`]).map(name => [name, textField])),
          },
          exemptions: {
            goType: `${version}.PodSecurityExemptions`,
            fields: { usernames: textsField, namespaces: textsField, runtimeClasses: textsField },
          },
        },
      }),
    },
  ],
  ['MutatingAdmissionWebhook', webhooks],
  ['ValidatingAdmissionWebhook', webhooks],
  ['MutatingAdmissionPolicy', policies('MutatingAdmissionPolicyConfiguration')],
  ['ValidatingAdmissionPolicy', policies('ValidatingAdmissionPolicyConfiguration')],
  ['PodNodeSelector', { types: [], isStrict: false }],
  [
    'PodTolerationRestriction',
    {
      types: ['podtolerationrestriction.admission.k8s.io/v1alpha1 Configuration'],
      isStrict: false,
      structOf: () => ({ goType: 'Configuration', fields: { default: tolerations, whitelist: tolerations } }),
    },
  ],
  [
    'ResourceQuota',
    {
      types: [
        'apiserver.config.k8s.io/v1 ResourceQuotaConfiguration',
        'resourcequota.admission.k8s.io/v1beta1 Configuration',
        'resourcequota.admission.k8s.io/v1alpha1 Configuration',
      ],
      isStrict: true,
      structOf: version => ({
        goType: 'Configuration',
        fields: {
          limitedResources: listField({
            goType: `${version}.LimitedResource`,
            fields: { apiGroup: textField, resource: textField, matchContains: textsField, matchScopes: scopes },
          }),
        },
      }),
    },
  ],
]);

/** Returns why a plugin refuses its configuration; undefined if it does not. */
export function configurationError(name: string, document: ValueMap): string | undefined {
  if (name === 'PodSecurity') return podSecurityError(document);
  if (name !== 'ResourceQuota') return fileError(name, document);
  const limited = listAt(document, 'limitedResources');
  if (limited.some(entry => listAt(entry, 'matchScopes').length > 0))
    return 'matchScopes of the configuration of ResourceQuota is not supported by the API server of webhook-cli';
  const missing = limited.flatMap((entry, i) =>
    stringAt(entry, 'resource') === '' ? [`limitedResources[${i}].resource: Required value`] : [],
  );
  return missing.length === 0 ? undefined : `couldn't init admission plugin "ResourceQuota": ${aggregated(missing)}`;
}

/** Source: apiserver admission/plugin/webhook/config/kubeconfig.go LoadConfig, admission/plugin/manifest ValidateStaticManifestsDir. */
function fileError(name: string, document: ValueMap): string | undefined {
  const prefix = `couldn't init admission plugin ${quote(name)}: `;
  if (stringAt(document, 'staticManifestsDir') !== '')
    return `${prefix}staticManifestsDir: Forbidden: staticManifestsDir requires the ManifestBasedAdmissionControlConfig feature gate to be enabled`;
  const file = stringAt(document, 'kubeConfigFile');
  if (file === '') return undefined;
  if (!path.isAbsolute(file)) return `${prefix}kubeConfigFile: Invalid value: ${quote(file)}: must be an absolute file path`;
  try {
    readKubeconfig({ given: file, env: {}, cwd: '/' });
    return undefined;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const reason = error.cause instanceof Error ? systemReason(error.cause) : undefined;
    return reason === undefined
      ? `${prefix}error loading config file ${quote(file)}: ${error.message}`
      : `${prefix}stat ${file}: ${reason}`;
  }
}

/** Source: pod-security-admission admission/admission.go CompleteConfiguration and ValidateConfiguration. */
function podSecurityError(document: ValueMap): string | undefined {
  const prefix = 'failed to initialize admission plugin "PodSecurity": PodSecurity';
  const defaults = mapAt(document, 'defaults');
  const wrong = modes.flatMap(mode => {
    const [level, version] = [stringAt(defaults, mode), stringAt(defaults, `${mode}-version`)];
    return [
      ...(level !== '' && levelNamed(level) === undefined ? [`${mode}: ${noLevel}`] : []),
      ...(version !== '' && minorOfPolicy(version) === undefined ? [`${mode}-version: ${noMinor}`] : []),
    ];
  });
  if (wrong.length > 0) return `${prefix} configuration error: ${aggregated(wrong)}`;
  const errors = [
    ...problemsIn(document, 'namespaces', dns1123LabelProblems),
    ...problemsIn(document, 'runtimeClasses', longNameProblems),
    ...problemsIn(document, 'usernames', text => (text === '' ? ['username must not be empty'] : [])),
  ];
  return errors.length === 0 ? undefined : `${prefix} invalid: ${printFieldErrors(errors)}`;
}

function problemsIn(document: ValueMap, list: string, problemsOf: (text: string) => string[]): FieldError[] {
  const seen = new Set<string>();
  return listAt(document, 'exemptions', list).flatMap((item, i) => {
    const text = typeof item === 'string' ? item : quote(String(item));
    const place = `exemptions.${list}[${i}]`;
    const problems = problemsOf(text);
    if (problems.length > 0) return [invalidValue(place, text, problems.join(', '))];
    if (seen.has(text)) return [duplicate(place, text)];
    seen.add(text);
    return [];
  });
}

function aggregated(errors: readonly string[]): string {
  return errors.length === 1 ? (errors[0] ?? '') : `[${errors.join(', ')}]`;
}
