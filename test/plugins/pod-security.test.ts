import { describe, expect, it } from 'vitest';
import { isMap, toValue } from '../../src/go/value.js';
import { detailsOfEvaluation, violationsOf } from '../../src/plugins/pod-security/evaluate.js';
import { policyOf, printLevelVersion, privilegedPolicy } from '../../src/plugins/pod-security/policy.js';
import { server } from '../support/server.js';

function violations(spec: unknown, level: 'baseline' | 'restricted', minor: number | 'latest' = 'latest'): string {
  const value = toValue(spec);
  return detailsOfEvaluation(violationsOf(server, { metadata: undefined, spec: isMap(value) ? value : new Map() }, { level, minor }));
}

const safe = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
};

describe('the pod security standards', () => {
  it.each([
    [{ containers: [{ name: 'c' }] }, ''],
    [{ hostPID: true, hostNetwork: true, containers: [{ name: 'c' }] }, 'host namespaces (hostNetwork=true, hostPID=true)'],
    [
      {
        initContainers: [{ name: 'i', securityContext: { privileged: true } }],
        containers: [{ name: 'c', ports: [{ hostPort: 81 }, { hostPort: 80 }] }],
      },
      'hostPort (container "c" uses hostPorts 80, 81), privileged (container "i" must not set securityContext.privileged=true)',
    ],
    [
      { securityContext: { seLinuxOptions: { type: 'bad', user: 'u' } }, containers: [{ name: 'c' }] },
      'seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "bad"; user may not be set)',
    ],
  ])('baseline: %j', (spec, expected) => {
    expect(violations(spec, 'baseline')).toBe(expected);
  });

  it.each([
    [{ containers: [{ name: 'c', securityContext: safe }] }, ''],
    [
      { containers: [{ name: 'c' }] },
      'allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
    ],
    [
      {
        volumes: [
          { name: 'h', hostPath: { path: '/' } },
          { name: 'n', nfs: {} },
        ],
        containers: [{ name: 'c', securityContext: safe }],
      },
      'restricted volume types (volumes "h", "n" use restricted volume types "hostPath", "nfs")',
    ],
  ])('restricted: %j', (spec, expected) => {
    expect(violations(spec, 'restricted')).toBe(expected);
  });

  it('have fewer rules in older versions', () => {
    expect(violations({ containers: [{ name: 'c' }] }, 'restricted', 7)).toBe(
      'runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true)',
    );
  });

  it('warn by the enforced policy, unless a label overrides it', () => {
    const prefix = 'pod-security.kubernetes.io';
    const { policy } = policyOf(
      new Map([
        [`${prefix}/enforce`, 'baseline'],
        [`${prefix}/enforce-version`, 'v1.30'],
      ]),
      privilegedPolicy,
    );
    expect([policy.warn, policy.audit].map(printLevelVersion)).toEqual(['baseline:v1.30', 'privileged:latest']);
    expect(
      printLevelVersion(
        policyOf(
          new Map([
            [`${prefix}/enforce`, 'baseline'],
            [`${prefix}/warn`, 'restricted'],
          ]),
          privilegedPolicy,
        ).policy.warn,
      ),
    ).toBe('restricted:latest');
  });
});
