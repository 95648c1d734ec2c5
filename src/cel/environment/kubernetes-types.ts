import type { StructDeclaration } from '../check/type-provider.js';
import { BOOL, DYN, INT, listType, mapType, STRING, structType, TIMESTAMP, type Type } from '../values/type.js';

/** A type with declared fields, and the types of those fields. */
export interface CelObjectType {
  readonly name: string;
  readonly fields: Readonly<Record<string, Type | CelObjectType | ListOfObjects>>;
}

interface ListOfObjects {
  readonly element: CelObjectType;
}

const strings = listType(STRING);

const groupVersionKind: CelObjectType = { name: 'kubernetes.GroupVersionKind', fields: { group: STRING, version: STRING, kind: STRING } };
const groupVersionResource: CelObjectType = {
  name: 'kubernetes.GroupVersionResource',
  fields: { group: STRING, version: STRING, resource: STRING },
};

/** The variable `request` of admission expressions. Source: apiserver admission/plugin/cel/compile.go BuildRequestType. */
export const admissionRequestType: CelObjectType = {
  name: 'kubernetes.AdmissionRequest',
  fields: {
    kind: groupVersionKind,
    resource: groupVersionResource,
    subResource: STRING,
    requestKind: groupVersionKind,
    requestResource: groupVersionResource,
    requestSubResource: STRING,
    name: STRING,
    namespace: STRING,
    operation: STRING,
    userInfo: {
      name: 'kubernetes.UserInfo',
      fields: { username: STRING, uid: STRING, groups: strings, extra: mapType(STRING, strings) },
    },
    dryRun: BOOL,
    options: DYN,
  },
};

/** The variable `namespaceObject`. Source: apiserver admission/plugin/cel/compile.go BuildNamespaceType. */
export const namespaceType: CelObjectType = {
  name: 'kubernetes.Namespace',
  fields: {
    metadata: {
      name: 'kubernetes.NamespaceMetadata',
      fields: {
        name: STRING,
        generateName: STRING,
        namespace: STRING,
        labels: mapType(STRING, STRING),
        annotations: mapType(STRING, STRING),
        UID: STRING,
        creationTimestamp: TIMESTAMP,
        deletionGracePeriodSeconds: INT,
        deletionTimestamp: TIMESTAMP,
        generation: INT,
        resourceVersion: STRING,
        finalizers: strings,
      },
    },
    spec: { name: 'kubernetes.NamespaceSpec', fields: { finalizers: strings } },
    status: {
      name: 'kubernetes.NamespaceStatus',
      fields: {
        conditions: {
          element: {
            name: 'kubernetes.NamespaceCondition',
            fields: { status: STRING, type: STRING, lastTransitionTime: TIMESTAMP, message: STRING, reason: STRING },
          },
        },
        phase: STRING,
      },
    },
  },
};

/**
 * Declarations of a type and of all types nested in it: objects by name, lists and maps by path. Source: apiserver pkg/cel/types.go
 * FieldTypeMap.
 */
export function declarationsOf(type: CelObjectType): ReadonlyMap<string, StructDeclaration> {
  const declared = new Map<string, StructDeclaration>();
  declare(declared, type.name, type);
  return declared;
}

function declare(declared: Map<string, StructDeclaration>, path: string, { name, fields }: CelObjectType): void {
  const types = new Map<string, Type>();
  for (const [field, type] of Object.entries(fields)) {
    const fieldPath = `${path}.${field}`;
    if ('fields' in type) declare(declared, fieldPath, type);
    if ('element' in type) declare(declared, `${fieldPath}.@idx`, type.element);
    const celType = celTypeOf(type);
    types.set(field, celType);
    if (celType.kind === 'list' || celType.kind === 'map') declared.set(fieldPath, { type: celType, fields: new Map() });
  }
  declared.set(name, { type: structType(name), fields: types });
}

function celTypeOf(type: Type | CelObjectType | ListOfObjects): Type {
  if ('fields' in type) return structType(type.name);
  return 'element' in type ? listType(celTypeOf(type.element)) : type;
}
