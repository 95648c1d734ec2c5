export interface ProxyFlags {
  readonly to: string;
  readonly caFile?: string | undefined;
  readonly record?: string | undefined;
  readonly redact?: readonly string[] | undefined;
  readonly maxFiles?: number | undefined;
  readonly maxBytes?: string | undefined;
  readonly fault?: readonly string[] | undefined;
  readonly match?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly certDir?: string | undefined;
}
