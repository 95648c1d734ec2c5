/** Values of `--operation`: what the client does. `apply` is server-side apply. */
export const operations = ['create', 'update', 'patch', 'apply', 'delete', 'deletecollection', 'connect'] as const;

export type ClientOperation = (typeof operations)[number];
