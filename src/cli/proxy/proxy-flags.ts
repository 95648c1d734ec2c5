export interface ProxyFlags {
  readonly to: string;
  readonly 'ca-file'?: string | undefined;
  readonly record?: string | undefined;
  readonly redact?: readonly string[] | undefined;
  readonly 'max-files'?: number | undefined;
  readonly 'max-bytes'?: string | undefined;
  readonly fault?: readonly string[] | undefined;
  readonly match?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly 'cert-dir'?: string | undefined;
}
