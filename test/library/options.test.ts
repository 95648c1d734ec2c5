import { describe, expect, it } from 'vitest';
import { callFlags } from '../../src/cli/flags/call-flags.js';
import { checkFlags, webhookFlags } from '../../src/cli/flags/webhook-flags.js';
import { flagName, flagOptions, type OptionKind, reviewFlags, stateFlagOptions } from '../../src/library/flags-of-options.js';
import type { ReviewOptions } from '../../src/library/options.js';

const flags: Readonly<Record<string, object>> = { ...callFlags, ...webhookFlags, check: checkFlags.check };
const options: Readonly<Record<string, OptionKind>> = { ...flagOptions, ...stateFlagOptions };

/** Flags that a function takes as data, or that belong to the command line. */
const others = ['filename', 'old', 'patch-file', 'state', 'call', 'case'];

describe('the options of the library', () => {
  it('are the flags of the command line, every one', () => {
    const named = Object.keys(options).map(flagName);
    expect(Object.keys(flags).filter(name => !named.includes(name) && !others.includes(name))).toEqual([]);
    expect(named.filter(name => flags[name] === undefined)).toEqual(['words']);
  });

  it('take what their flags take', () => {
    for (const [option, kind] of Object.entries(options)) {
      if (option === 'words') continue;
      const flag = flags[flagName(option)];
      const { takes: _, ...bounds } = kind;
      expect(flag, option).toMatchObject({ type: kind.takes === 'switch' ? 'boolean' : 'option', ...bounds });
      expect(flag && 'multiple' in flag && flag.multiple === true, option).toBe(kind.takes === 'texts' || kind.takes === 'pairs');
    }
  });

  it('become what the parsers of the flags make of them', () => {
    const now = new Date();
    expect(
      reviewFlags({
        manifest: '',
        operation: 'patch',
        patch: { spec: { replicas: 2 } },
        asGroup: 'a',
        asUserExtra: { k: ['v', 'w'], l: 'x' },
        service: { 'shop/guard': 'https://127.0.0.1:8443' },
        matchCondition: ['true', 'false'],
        gracePeriod: -1,
        timeout: '2s',
        requestTimeout: '500ms',
        insecureSkipTlsVerify: true,
        dryRun: undefined,
        now,
      }),
    ).toEqual({
      operation: 'patch',
      patch: '{"spec":{"replicas":2}}',
      'as-group': ['a'],
      'as-user-extra': ['k=v', 'k=w', 'l=x'],
      service: ['shop/guard=https://127.0.0.1:8443'],
      'match-condition': ['true', 'false'],
      'grace-period': -1,
      timeout: 2000,
      'request-timeout': 500,
      'insecure-skip-tls-verify': true,
      now,
    });
  });

  it.each<[object, string, string[]]>([
    [{ operaton: 'create' }, 'there is no option operaton', ['did you mean operation?']],
    [{ constructor: 1 }, 'there is no option constructor', [expect.stringMatching(/^there are operation, /)]],
    [
      { operation: 'CREATE' },
      'the option operation is "CREATE", and must be one of create, update, patch, apply, delete, deletecollection, connect',
      [],
    ],
    [{ timeout: '31s' }, 'the option timeout is "31s", and must be a duration from 1s to 30s', []],
    [{ timeout: 5 }, 'the option timeout is 5, and must be a duration from 1s to 30s', []],
    [{ seed: 1.5 }, 'the option seed is 1.5, and must be a whole number from 0 to 4294967295', []],
    [{ demo: 'yes' }, 'the option demo is "yes", and must be true or false', []],
    [{ header: ['a=b'] }, 'the option header is an object, and must be an object of texts', []],
    [{ header: { a: 1 } }, 'the option header.a is 1, and must be a text', []],
    [{ asGroup: [1] }, 'the option asGroup is an object, and must be a text or a list of them', []],
    [{ now: new Date('never') }, 'the option now is an object, and must be a Date', []],
    [{ url: null }, 'the option url is null, and must be a text', []],
  ])('are refused when they are %j', (given, message, suggestions) => {
    const wrong: ReviewOptions = { manifest: '', ...given };
    expect(() => reviewFlags(wrong)).toThrow(expect.objectContaining({ message, suggestions, exitCode: 2 }));
  });
});
