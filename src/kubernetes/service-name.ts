/** Reference to a service in a client configuration. */
export interface ServiceName {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}
