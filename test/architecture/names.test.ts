import { describe, expect, it } from 'vitest';
import { root } from '../support/run-command.js';
import { declarationsBelow } from './declarations.js';
import { verbs } from './verbs.js';

/** Names that more than one file may export; what is new has a name of its own. */
const maxSharedNames = 30;

describe('the names', () => {
  const { effects, top, exporters } = declarationsBelow(root, ['src', 'commands']);

  it('of functions that do something are imperative verbs', () => {
    expect(effects.length).toBeGreaterThan(900);
    const others = effects.filter(({ name }) => !verbs.has(/^[a-z]+/.exec(name)?.[0] ?? ''));
    expect(others.length / effects.length, others.map(({ file, name }) => `${file}: ${name}`).join('\n')).toBeLessThanOrEqual(0.02);
  });

  it('are exported by one file, but for the types of Kubernetes and the classes of commands', () => {
    const isOwn = (file: string): boolean => !file.startsWith('src/kubernetes/object-types/') && !file.startsWith('commands/');
    const shared = [...exporters].filter(([, files]) => [...files].filter(isOwn).length > 1);
    expect(exporters.size).toBeGreaterThan(4000);
    expect(shared.length, shared.map(([name, files]) => `${name}: ${[...files].join(', ')}`).join('\n')).toBeLessThanOrEqual(
      maxSharedNames,
    );
  });

  it('of the helpers that everything could have say of what', () => {
    const helpers = ['textOf', 'parsed', 'keyOf'];
    expect(top.length).toBeGreaterThan(10_000);
    expect(top.filter(({ name }) => helpers.includes(name))).toEqual([]);
  });
});
