import { describe, expect, it } from 'vitest';
import { rulesByGroup } from '../../../src/apiserver/objects/rules-by-group.js';

describe('rulesByGroup', () => {
  it('finds the rule of a type among those of its group, and makes no others', () => {
    const made: string[] = [];
    const rules = (name: string, all: Record<string, string>) => () => {
      made.push(name);
      return [{ 'core/v1.Other': 'other' }, all];
    };
    const ruleOf = rulesByGroup({
      core: rules('core', { 'core/v1.Pod': 'pod' }),
      apps: rules('apps', { 'apps/v1.Deployment': 'deployment' }),
    });
    expect(['core/v1.Pod', 'core/v1.Other', 'core/v1.Pod', 'core/v1.None', 'batch/v1.Job', 'Status'].map(ruleOf)).toEqual([
      'pod',
      'other',
      'pod',
      undefined,
      undefined,
      undefined,
    ]);
    expect(made).toEqual(['core']);
    expect([ruleOf('apps/v1.Deployment'), made]).toEqual(['deployment', ['core', 'apps']]);
  });
});
