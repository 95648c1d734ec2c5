import { block, type Kind } from './expression-kinds.js';
import { thingDefinition } from './thing-definition.js';

const spec = (validations: string): string => `        properties:
          spec:
            type: object
${validations}            properties:
              size: {type: integer}
              when: {type: string, format: date-time}
              wait: {type: string, format: duration}
              name: {type: string}
              ratio: {type: number}
              on: {type: boolean}
              data: {type: string, format: byte}
              port: {x-kubernetes-int-or-string: true}
              labels: {type: object, additionalProperties: {type: string}}
              parts:
                type: array
                items:
                  type: object
                  properties: {kind: {type: string}, count: {type: integer}, tags: {type: array, items: {type: string}}}
          status:
            type: object
            properties: {phase: {type: string}}
`;

/** Rules of definitions. */
export const definitionRules: Readonly<Record<string, Kind>> = {
  'a rule of the root': {
    write: text => thingDefinition(`        x-kubernetes-validations:\n        - rule: ${block(12, text)}\n${spec('')}`),
    places: [
      ['‸', 'self oldSelf has size', 'object request params variables'],
      ['self.‸', 'spec status metadata apiVersion kind', 'size'],
      ['self.metadata.‸', 'name generateName', 'spec labels'],
      ['self.metadata.name.‸', 'startsWith', 'all'],
      ['self.spec.‸', 'size when parts labels', 'metadata'],
      ['has(self.status) && self.status.‸', 'phase', 'size'],
    ],
  },
  'a rule of an object': {
    write: text => thingDefinition(spec(`            x-kubernetes-validations:\n            - rule: ${block(16, text)}\n`)),
    places: [
      ['self.‸', 'size when wait name parts labels', 'spec metadata status'],
      ['self.when.‸', 'getFullYear', 'startsWith'],
      ['self.wait.‸', 'getSeconds', 'getFullYear startsWith'],
      ['self.name.‸', 'startsWith matches', 'all'],
      ['self.labels.‸', 'all exists size', 'startsWith'],
      ['self.labels.all(k, self.labels[k].‸', 'startsWith', 'all'],
      ['self.labels.all(k, v, v.‸', 'startsWith', 'all'],
      ['self.parts.‸', 'all map exists', 'kind'],
      ['self.parts.all(p, p.‸', 'kind count tags', 'size'],
      ['self.parts.all(p, p.tags.‸', 'all size', 'startsWith'],
      ['self.parts.all(p, p.tags.exists(t, t.‸', 'startsWith', 'kind all'],
      ['self.parts.all(p, self.parts.exists(q, q.‸', 'kind', 'size'],
      ['self.size > oldSelf.‸', 'size', 'spec'],
      ['self.size <= self.‸', 'size ratio', 'spec'],
      ['self.?name.‸', 'orValue hasValue', 'startsWith'],
      ['isQuantity(self.name) && quantity(self.name).‸', 'isGreaterThan', 'startsWith'],
      ['self.parts.map(p, p.count).‸', 'sum max min', 'kind startsWith'],
      ['self.on ? self.‸', 'size', 'spec'],
      ['string(self.‸', 'size name', 'spec'],
      ['format.‸', 'dns1123Label uri', 'self'],
    ],
  },
  'a message of a rule': {
    write: text =>
      thingDefinition(
        spec(`            x-kubernetes-validations:\n            - rule: 'true'\n              messageExpression: ${block(16, text)}\n`),
      ),
    places: [
      ['‸', 'self string', 'object request'],
      ['"a" + self.‸', 'name', 'spec'],
      ['"size " + string(self.‸', 'size', 'spec'],
    ],
  },
  'a rule of an item': {
    write: text =>
      thingDefinition(
        spec('').replace(
          '                  type: object\n',
          `                  type: object\n                  x-kubernetes-validations:\n                  - rule: ${block(22, text)}\n`,
        ),
      ),
    places: [
      ['self.‸', 'kind count tags', 'size parts'],
      ['self.tags.all(t, t.‸', 'startsWith', 'kind'],
    ],
  },
  'a rule of a value': {
    write: text =>
      thingDefinition(
        spec('').replace(
          'name: {type: string}',
          `name:\n                type: string\n                x-kubernetes-validations:\n                - rule: ${block(20, text)}`,
        ),
      ),
    places: [
      ['self.‸', 'startsWith matches size', 'all name spec'],
      ['self == ‸', 'self oldSelf', 'object'],
    ],
  },
};
