import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readUnstructured } from '../../../src/encoding/unstructured.js';
import { isList, stringAt, type Value } from '../../../src/go/value.js';
import { canonicalSnapshot } from '../../../src/suites/snapshots/canonical.js';
import { inCanonicalOrder } from '../../../src/suites/snapshots/patch-order.js';

type Operation = readonly [op: string, path: string, from?: string];

function patchOf(operations: readonly Operation[]): Value[] {
  const list = operations.map(([op, path, from]) => ({ op, path, ...(from === undefined ? {} : { from }), value: path }));
  const value = readUnstructured(JSON.stringify(list));
  return isList(value) ? value : [];
}

const pathsIn = (patch: readonly Value[]): string[] =>
  patch.map(operation => `${stringAt(operation, 'op')} ${stringAt(operation, 'path')}`);
const ordered = (...operations: readonly Operation[]): string[] => pathsIn(inCanonicalOrder(patchOf(operations)));

describe('the canonical order of a patch', () => {
  it('sorts operations on different fields', () => {
    expect(ordered(['add', '/spec/b'], ['replace', '/spec/a'], ['remove', '/metadata/labels/x'])).toEqual([
      'remove /metadata/labels/x',
      'replace /spec/a',
      'add /spec/b',
    ]);
  });

  it.each<readonly [string, Operation, Operation]>([
    ['a field and a field in it', ['add', '/spec/b'], ['add', '/spec/b/a']],
    ['the same field', ['test', '/spec/b'], ['replace', '/spec/b']],
    ['the source of a move', ['add', '/spec/z'], ['move', '/spec/a', '/spec/z']],
    ['an item that an insertion moves', ['add', '/spec/c/1'], ['replace', '/spec/c/2/image']],
    ['an item that a removal moves', ['remove', '/spec/c/1'], ['remove', '/spec/c/1']],
    ['the end of a list', ['add', '/spec/c/-'], ['add', '/spec/c/-']],
    ['the end of a list and an item', ['add', '/spec/c/0'], ['add', '/spec/c/-']],
    ['an item counted from the end', ['add', '/spec/c/1'], ['replace', '/spec/c/-1']],
    ['a deep field of a moved item', ['remove', '/spec/c/0'], ['replace', '/spec/c/3/env/2/value']],
  ])('keeps the order of operations on %s', (_, first, second) => {
    expect(ordered(first, second)).toEqual(pathsIn(patchOf([first, second])));
    expect(ordered(second, first)).toEqual(pathsIn(patchOf([second, first])));
  });

  it('sorts a field of an item and the insertion of a later item', () => {
    const [field, insertion]: [Operation, Operation] = [
      ['add', '/spec/c/0/policy'],
      ['add', '/spec/c/1'],
    ];
    expect(ordered(insertion, field)).toEqual(ordered(field, insertion));
  });

  it('is the same for every order in which a map is read', () => {
    const operations: Operation[] = [
      ['add', '/metadata/labels'],
      ['add', '/metadata/annotations'],
      ['replace', '/spec/c/0/image'],
      ['add', '/spec/c/0/policy'],
      ['add', '/spec/c/1'],
      ['add', '/spec/volumes'],
    ];
    const expected = ordered(...operations);
    fc.assert(fc.property(fc.shuffledSubarray(operations, { minLength: 6 }), shuffled => ordered(...shuffled).join() === expected.join()));
  });

  it('has every operation once', () => {
    const path = fc.array(fc.constantFrom('a', 'b', '0', '1', '-'), { minLength: 1, maxLength: 3 }).map(steps => `/${steps.join('/')}`);
    const operation = fc.tuple(fc.constantFrom('add', 'remove', 'replace', 'test'), path);
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 8 }), operations => {
        const patch = patchOf(operations);
        const canonical = inCanonicalOrder(patch);
        expect(pathsIn(canonical).sort()).toEqual(pathsIn(patch).sort());
        expect(pathsIn(inCanonicalOrder(canonical))).toEqual(pathsIn(canonical));
      }),
    );
  });
});

describe('the canonical snapshot', () => {
  it('has sorted warnings, and no webhook that is skipped by its rules', () => {
    const document = readUnstructured(
      JSON.stringify({
        calls: [
          {
            decision: { warnings: ['b', 'a'] },
            webhooks: [
              { webhook: 'x', outcome: 'skipped', skipped: 'rules' },
              { webhook: 'y', outcome: 'skipped', skipped: 'objectSelector' },
              { webhook: 'z', outcome: 'allowed', warnings: ['d', 'c'] },
            ],
          },
        ],
      }),
    );
    expect(canonicalSnapshot(document)).toEqual(
      readUnstructured(
        JSON.stringify({
          calls: [
            {
              decision: { warnings: ['a', 'b'] },
              webhooks: [
                { webhook: 'y', outcome: 'skipped', skipped: 'objectSelector' },
                { webhook: 'z', outcome: 'allowed', warnings: ['c', 'd'] },
              ],
            },
          ],
        }),
      ),
    );
  });
});
