import { describe, expect, it } from 'vitest';
import { indentedInternal } from '../../../../src/apiserver/registry/validation/go-value.js';
import { unifiedDiff } from '../../../../src/apiserver/registry/validation/unified-diff.js';
import { toValue } from '../../../../src/go/value.js';
import { server } from '../../../support/server.js';

describe('an internal type', () => {
  it('has its fields where the API server has them', () => {
    const stored = { containers: [], securityContext: {} };
    const changed = { ...stored, hostNetwork: true, preemptionPolicy: 'Never', priority: 0 };
    const [before, after] = [stored, changed].map(spec => indentedInternal(server, 'core/v1.PodSpec', toValue(spec)));
    expect(unifiedDiff(before ?? '', after ?? '')).toBe(
      [
        ['@@ -12,7 +12,7 @@', '  "AutomountServiceAccountToken": null,', '  "NodeName": "",', '  "SecurityContext": {'],
        ['-  "HostNetwork": false,', '+  "HostNetwork": true,', '   "HostPID": false,', '   "HostIPC": false,'],
        ['   "ShareProcessNamespace": null,', '@@ -40,8 +40,8 @@', '  "Tolerations": null,', '  "HostAliases": null,'],
        ['  "PriorityClassName": "",', '- "Priority": null,', '- "PreemptionPolicy": null,', '+ "Priority": 0,'],
        ['+ "PreemptionPolicy": "Never",', '  "DNSConfig": null,', '  "ReadinessGates": null,', '  "RuntimeClassName": null,'],
      ]
        .map(lines => `${lines.join('\n')}\n`)
        .join(''),
    );
  });
});
