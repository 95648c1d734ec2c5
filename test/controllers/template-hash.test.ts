import { describe, expect, it } from 'vitest';
import { templateHash } from '../../src/controllers/template-hash.js';
import { readUnstructured } from '../../src/encoding/unstructured.js';
import { isMap } from '../../src/kubernetes/value.js';

function hashOf(json: string): string {
  const template = readUnstructured(json);
  if (!isMap(template)) throw new Error('a template is an object');
  return templateHash(template);
}

describe('the hash of a pod template', () => {
  // Asked of ComputeHash in Kubernetes v1.36.3.
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

  it.each([
    ['a big quantity', '{"spec":{"containers":[{"resources":{"limits":{"memory":"1Ei"}}}]}}', 'the quantity "1Ei"'],
    ['a time', '{"metadata":{"creationTimestamp":"2020-01-01T00:00:00Z"}}', 'a time in a pod template'],
  ])('is not guessed for %s', (_, json, message) => {
    expect(() => hashOf(json)).toThrow(message);
  });
});
