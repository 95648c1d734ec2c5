// Makes TypeScript types of the common built-in kinds from the tables of Kubernetes types: types alone, nothing runs.
import { apiServers } from '../dist/src/cli/work/api-servers/api-servers.js';
import { parseApiVersion } from '../dist/src/kubernetes/group-version.js';
import { schemaOfKind } from '../dist/src/kubernetes/type-table.js';
import { groupBy } from './group-by.js';

/** Kinds that webhooks are written for, by the group and version that the API server prefers. */
const kinds = {
  v1: 'ConfigMap Endpoints LimitRange Namespace Node PersistentVolume PersistentVolumeClaim Pod PodTemplate ReplicationController ResourceQuota Secret Service ServiceAccount',
  'admissionregistration.k8s.io/v1':
    'MutatingWebhookConfiguration ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration',
  'apiextensions.k8s.io/v1': 'CustomResourceDefinition',
  'apps/v1': 'DaemonSet Deployment ReplicaSet StatefulSet',
  'autoscaling/v2': 'HorizontalPodAutoscaler',
  'batch/v1': 'CronJob Job',
  'coordination.k8s.io/v1': 'Lease',
  'discovery.k8s.io/v1': 'EndpointSlice',
  'networking.k8s.io/v1': 'Ingress IngressClass NetworkPolicy',
  'policy/v1': 'PodDisruptionBudget',
  'rbac.authorization.k8s.io/v1': 'ClusterRole ClusterRoleBinding Role RoleBinding',
  'scheduling.k8s.io/v1': 'PriorityClass',
  'storage.k8s.io/v1': 'StorageClass',
};

const head = '// Generated from the tables of Kubernetes types by `npm run docs`.';

/** Returns the files with the types, by their path: one for each Go package, and one that lists the kinds. */
export function kubernetesTypes() {
  const roots = Object.entries(kinds).flatMap(([apiVersion, names]) =>
    names.split(' ').map(kind => ({ apiVersion, kind, schema: schemaOfKind(apiServers(), { ...parseApiVersion(apiVersion), kind }) })),
  );
  const structs = new Map();
  for (const { schema } of roots) collect(schema, structs);
  const rootNames = new Set(roots.map(({ schema }) => schema.name));
  const packages = groupBy([...structs.values()].sort(byName), ({ name }) => packageOf(name));
  const files = [...packages].map(([name, schemas]) => [fileOf(name), packageText(name, schemas, rootNames)]);
  return new Map([...files, ['kinds', kindsText(roots)]].map(([file, text]) => [`src/kubernetes/object-types/${file}.ts`, text]));
}

function collect(schema, found) {
  if (schema === undefined) return;
  if (schema.type === 'list') collect(schema.items, found);
  else if (schema.type === 'map') collect(schema.values, found);
  else if (schema.type === 'leaf') collect(schema.of, found);
  else if (!found.has(schema.name)) {
    found.set(schema.name, schema);
    for (const { schema: field } of schema.fields) collect(field, found);
  }
}

function byName(a, b) {
  return a.name < b.name ? -1 : 1;
}

function packageText(name, schemas, rootNames) {
  const used = new Map();
  for (const struct of schemas)
    for (const { name: other } of namedIn(struct)) if (packageOf(other) !== name) used.set(other, packageOf(other));
  const imports = [...groupBy([...used].sort(), ([, from]) => from)].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    head,
    ...imports.map(([from, names]) => `import type { ${names.map(([other]) => typeName(other)).join(', ')} } from './${fileOf(from)}.js';`),
    '',
    ...schemas.map(struct => `export interface ${typeName(struct.name)} { ${membersOf(struct, rootNames.has(struct.name)).join('; ')} }`),
    '',
  ].join('\n');
}

/** The structs that the fields of a struct name. */
function namedIn({ fields }) {
  const found = [];
  const visit = schema => {
    if (schema === undefined) return;
    if (schema.type === 'struct') found.push(schema);
    else visit(schema.items ?? schema.values ?? schema.of);
  };
  for (const { schema } of fields) visit(schema);
  return found;
}

function membersOf(struct, isKind) {
  return struct.fields.map(field => {
    const key = /^[A-Za-z]\w*$/.test(field.name) ? field.name : JSON.stringify(field.name);
    return `${key}${isOptional(field, isKind) ? '?' : ''}: ${typeOf(field.schema)}`;
  });
}

/** Absent is Go's zero value. What a kind always has, and what Go always writes, is there. */
function isOptional({ name, schema, omitEmpty, omitZero, pointer }, isKind) {
  if (isKind && (name === 'metadata' || name === 'spec')) return pointer;
  return omitEmpty || omitZero || pointer || schema.type === 'struct';
}

function typeOf(schema) {
  if (schema.type === 'struct') return typeName(schema.name);
  if (schema.type === 'list') return listOf(typeOf(schema.items));
  if (schema.type === 'map') return `Record<string, ${typeOf(schema.values)}>`;
  switch (schema.leaf) {
    case 'bool':
      return 'boolean';
    case 'int32':
    case 'int64':
    case 'float64':
      return 'number';
    case 'intorstring':
      return 'number | string';
    case 'rawextension':
    case 'json':
    case 'any':
      return 'unknown';
    case 'fieldsv1':
      return 'Record<string, unknown>';
    case 'orBool':
      return `${typeOf(schema.of)} | boolean`;
    case 'orArray':
      return `${typeOf(schema.of)} | ${listOf(typeOf(schema.of))}`;
    case 'orStringArray':
      return `${typeOf(schema.of)} | string[]`;
    default:
      return 'string';
  }
}

function listOf(type) {
  return type.includes(' ') && !type.startsWith('Record<') ? `(${type})[]` : `${type}[]`;
}

function kindsText(roots) {
  const imports = [...groupBy(roots, ({ schema }) => packageOf(schema.name))].sort(([a], [b]) => (a < b ? -1 : 1));
  const named = imports.map(([from, of]) => [fileOf(from), [...new Set(of.map(({ kind }) => kind))].sort()]);
  return [
    head,
    ...named.map(([file, names]) => `import type { ${names.join(', ')} } from './${file}.js';`),
    '',
    ...named.map(([file, names]) => `export type { ${names.join(', ')} } from './${file}.js';`),
    '',
    '/** Types of built-in kinds by `apiVersion/Kind`. */',
    'export interface BuiltInKinds {',
    ...roots.map(({ apiVersion, kind }) => `  '${apiVersion}/${kind}': ${kind};`),
    '}',
    '',
  ].join('\n');
}

function packageOf(name) {
  return name.slice(0, name.indexOf('.'));
}

function typeName(name) {
  return name.slice(name.indexOf('.') + 1);
}

function fileOf(name) {
  return name.replaceAll('/', '-').replaceAll('.', '-');
}
