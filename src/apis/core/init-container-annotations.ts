/** Annotations that described init containers before they had fields. Source: kubernetes pkg/api/pod/util.go initContainerAnnotations. */
export const initContainerAnnotations: readonly string[] = ['alpha', 'beta'].flatMap(version =>
  ['init-containers', 'init-container-statuses'].map(name => `pod.${version}.kubernetes.io/${name}`),
);
