/** Protocol of one forwarded port: what is sent, and what received bytes mean. */
export interface PortProtocol {
  /** Bytes to send first. */
  readonly opening: readonly Uint8Array[];
  /** Whether a server that closes the connection thereby says that the pod has closed its side. */
  readonly endsWithConnection: boolean;
  /** Returns bytes for the port as they are sent. */
  readonly encode: (bytes: Buffer) => Uint8Array;
  /** Bytes that ask for an answer; absent where the protocol has none. */
  readonly ping?: Uint8Array;
  readonly receive: (bytes: Buffer) => Iterable<PortEvent>;
}

export type PortEvent =
  /** The kubelet has accepted the port. */
  | { readonly kind: 'opened' }
  | { readonly kind: 'data'; readonly bytes: Buffer }
  /** A part of the kubelet's message about a failure. */
  | { readonly kind: 'message'; readonly bytes: Buffer }
  /** An answer that the protocol requires. */
  | { readonly kind: 'answer'; readonly bytes: Uint8Array }
  /** The pod has closed its side. */
  | { readonly kind: 'ended' }
  /** The kubelet has given up; its message came before. */
  | { readonly kind: 'failed' }
  /** The server does not follow the protocol. */
  | { readonly kind: 'fault'; readonly message: string };
