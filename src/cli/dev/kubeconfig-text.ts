/** In the command of a process that gets an API server. */
export const kubeconfigText = `\${KUBECONFIG}`;
