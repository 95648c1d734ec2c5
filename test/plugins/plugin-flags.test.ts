import { describe, expect, it } from 'vitest';
import type { AdmissionPlugin } from '../../src/apiserver/admission/chain.js';
import { mutatingWebhooks } from '../../src/apiserver/webhooks/mutating.js';
import { validatingWebhooks } from '../../src/apiserver/webhooks/validating.js';
import { defaultServerOptions, flagValues, serverOptions } from '../../src/kubernetes/server-options.js';
import { enabledPlugins, refusedPluginFlags } from '../../src/plugins/enabled.js';
import { apiServers, server } from '../support/server.js';

const webhooks = {
  mutating: { name: 'MutatingAdmissionWebhook', operations: [] },
  validating: { name: 'ValidatingAdmissionWebhook', operations: [] },
} satisfies Record<string, AdmissionPlugin>;

function names(...flags: string[]): string[] {
  return enabledPlugins(server, serverOptions(flagValues(flags)), webhooks).map(plugin => plugin.name);
}

function refused(...flags: string[]): string[] {
  return refusedPluginFlags(server, serverOptions(flagValues(flags)));
}

describe('admission plugins', () => {
  it.each([
    ['v1.34', undefined],
    ['v1.35', ['UPDATE']],
    ['v1.36', ['UPDATE']],
    ['v1.37', ['CREATE', 'UPDATE']],
  ] as const)('look at the declared features of nodes in the operations of %s', (minor, operations) => {
    const plugins = enabledPlugins(apiServers({ minor }), defaultServerOptions, webhooks);
    expect(plugins.find(plugin => plugin.name === 'NodeDeclaredFeatureValidator')?.operations).toEqual(operations);
  });
});

describe('the plugins for a request', () => {
  const operations = ['CONNECT', 'CREATE', 'DELETE', 'UPDATE'] as const;
  const handling = { mutating: mutatingWebhooks(), validating: validatingWebhooks() };

  it.each(operations.flatMap(operation => (['admit', 'validate'] as const).map(phase => [operation, phase] as const)))(
    'are those that handle %s in the phase %s, in order',
    (operation, phase) => {
      const all = enabledPlugins(server, defaultServerOptions, handling);
      const found = enabledPlugins(server, defaultServerOptions, handling, { operation, phase });
      expect(found).toEqual(all.filter(plugin => plugin.operations.includes(operation) && plugin[phase] !== undefined));
      expect(found).toContain(phase === 'admit' ? handling.mutating : handling.validating);
    },
  );
});

describe('the flags of admission plugins', () => {
  it('leave webhooks between the mutators and the quota', () => {
    const order = names().filter(name => ['LimitRanger', 'RuntimeClass', 'MutatingAdmissionWebhook', 'ResourceQuota'].includes(name));
    expect(order).toEqual(['LimitRanger', 'RuntimeClass', 'MutatingAdmissionWebhook', 'ResourceQuota']);
  });

  it('enable and disable plugins of the default set', () => {
    const found = names('--enable-admission-plugins=AlwaysPullImages,AlwaysDeny', '--disable-admission-plugins=ServiceAccount');
    expect(found).toEqual(expect.arrayContaining(['AlwaysPullImages', 'AlwaysDeny']));
    expect(found).not.toContain('ServiceAccount');
    expect(found.at(-1)).toBe('AlwaysDeny');
  });

  it.each([
    ['--enable-admission-plugins=Nope', ['enable-admission-plugins plugin "Nope" is unknown']],
    ['--disable-admission-plugins=Nope', ['disable-admission-plugins plugin "Nope" is unknown']],
    ['--enable-admission-plugins=PodSecurity', []],
  ])("are rejected with kube-apiserver's message: %s", (flag, errors) => {
    expect(refused(flag)).toEqual(errors);
  });

  it('do not enable and disable the same plugin', () => {
    expect(refused('--enable-admission-plugins=PodSecurity', '--disable-admission-plugins=PodSecurity')).toEqual([
      '[PodSecurity] in enable-admission-plugins and disable-admission-plugins overlapped',
    ]);
  });
});
