import { describe, expect, it } from 'vitest';
import { templateHash } from '../../src/controllers/template-hash.js';
import { readUnstructured } from '../../src/encoding/unstructured.js';
import { isMap } from '../../src/go/value.js';
import { server } from '../support/server.js';

function hashOf(json: string): string {
  const template = readUnstructured(json);
  if (!isMap(template)) throw new Error('a template is an object');
  return templateHash(server, template);
}

describe('the hash of a pod template', () => {
  // Recorded from ComputeHash in Kubernetes v1.36.3.
  it.each([
    ['nothing', '{"spec":{"containers":null}}', '85748b7f68'],
    [
      'labels in order of their bytes, and any text',
      '{"metadata":{"labels":{"b":"2","a":"1","é":"ü"},"annotations":{"x":"\\u0000<>"}},"spec":{"containers":[{"name":"c","image":"i"}]}}',
      '65bb9d878c',
    ],
    [
      'quantities',
      '{"spec":{"containers":[{"name":"c","resources":{"limits":{"cpu":"500m","memory":"128Mi","ephemeral-storage":"0"},"requests":{"cpu":"1k","memory":"8Gi","example.com/x":"1e3"}}}]}}',
      '5999bc8dd4',
    ],
    [
      'quantities that Go keeps otherwise',
      '{"spec":{"containers":[{"name":"c","resources":{"limits":{"cpu":"-2","memory":"1500","hugepages-2Mi":"4Mi","example.com/x":"12e6"}}}]}}',
      '5c68586764',
    ],
    [
      'quantities that Go holds as big decimals',
      '{"spec":{"containers":[{"name":"c","resources":{"limits":{"cpu":"9223372036854775807","memory":"1Ei"},"requests":{"memory":"-100Ti"}}}]}}',
      '9489f8ffd',
    ],
    [
      'embedded structs, ports by name and number',
      '{"spec":{"volumes":[{"name":"v","emptyDir":{}},{"name":"s","secret":{"secretName":"x","defaultMode":420,"optional":false}}],"containers":[{"name":"c","livenessProbe":{"httpGet":{"port":"http"},"periodSeconds":3},"readinessProbe":{"tcpSocket":{"port":80}}}]}}',
      '79499f8cdb',
    ],
    [
      'what is set to nothing, and what is empty',
      '{"spec":{"terminationGracePeriodSeconds":0,"hostNetwork":true,"securityContext":{"runAsUser":0,"fsGroup":5},"nodeSelector":{},"tolerations":[],"containers":[{"name":"c","command":[],"env":[{"name":"A","valueFrom":{"fieldRef":{"apiVersion":"v1","fieldPath":"metadata.name"}}}]}]}}',
      '7c5f8c8576',
    ],
  ])('is that of Kubernetes, for %s', (_, json, hash) => {
    expect(hashOf(json)).toBe(hash);
  });

  it('is not computed for a time, whose format depends on the machine', () => {
    expect(() => hashOf('{"metadata":{"creationTimestamp":"2020-01-01T00:00:00Z"}}')).toThrow('a time in a pod template');
  });
});
