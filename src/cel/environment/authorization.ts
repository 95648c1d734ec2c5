import type { ApiServer } from '../../kubernetes/api-server.js';
import { memoize } from '../../kubernetes/memoize.js';
import { listType, mapType, STRING, structType } from '../values/type.js';
import { type Environment, kubernetesEnvironment } from './environment.js';
import { type CelObjectType, declarationsOf } from './kubernetes-types.js';

const strings = listType(STRING);
const requirement: CelObjectType = { name: 'kubernetes.SelectorRequirement', fields: { key: STRING, operator: STRING, values: strings } };

function selector(name: string): CelObjectType {
  return { name, fields: { rawSelector: STRING, requirements: { element: requirement } } };
}

/** The variable `request` of match conditions of authorizers. Source: apiserver authorization/cel/compile.go buildRequestType. */
const accessReviewType: CelObjectType = {
  name: 'kubernetes.SubjectAccessReviewSpec',
  fields: {
    resourceAttributes: {
      name: 'kubernetes.ResourceAttributes',
      fields: {
        namespace: STRING,
        verb: STRING,
        group: STRING,
        version: STRING,
        resource: STRING,
        subresource: STRING,
        name: STRING,
        fieldSelector: selector('kubernetes.FieldSelectorAttributes'),
        labelSelector: selector('kubernetes.LabelSelectorAttributes'),
      },
    },
    nonResourceAttributes: { name: 'kubernetes.NonResourceAttributes', fields: { path: STRING, verb: STRING } },
    user: STRING,
    groups: strings,
    extra: mapType(STRING, strings),
    uid: STRING,
  },
};

/** Environment of match conditions of authorizers. */
export const accessReviewEnvironment: (server: ApiServer) => Environment = memoize(server =>
  kubernetesEnvironment(server, {
    use: 'stored',
    variables: [{ name: 'request', type: structType(accessReviewType.name) }],
    structs: [...declarationsOf(accessReviewType)],
  }),
);
