/** One recorded session with a kube-apiserver: raw requests one after another. */
export interface Session {
  readonly name: string;
  readonly namespace?: string;
  readonly namespaces?: readonly string[];
  readonly flags?: readonly string[];
  readonly state?: readonly string[];
  readonly hooks?: Readonly<Record<string, Script>>;
  /** Deleted after the last step. */
  readonly cleanup?: readonly string[];
  readonly steps: readonly Step[];
}

/** Answer of a webhook at a path. */
export interface Script {
  readonly response?: { readonly operations?: unknown } & Readonly<Record<string, unknown>>;
  readonly convert?: boolean;
  readonly status?: number;
  readonly body?: string;
  readonly delay?: number;
}

export interface Step {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: unknown;
  readonly bodyBase64?: string;
  readonly bodyParts?: readonly (string | { readonly repeat: string; readonly times: number })[];
  readonly protobuf?: ProtobufBody;
  readonly look?: readonly Look[];
  readonly frames?: number | null;
  readonly during?: readonly Step[];
  readonly anonymous?: boolean;
  readonly save?: Readonly<Record<string, string>>;
  readonly unordered?: boolean;
  /** Patterns with replacements, before all others. */
  readonly mask?: readonly (readonly [string, string])[];
  readonly h2?: number;
  readonly alpn?: readonly string[];
  readonly answer: Recorded;
}

export interface Recorded {
  readonly status?: number;
  readonly body?: string;
  readonly bodyBase64?: string;
  readonly look?: unknown;
  readonly frames?: readonly string[];
  readonly headers?: readonly (readonly [string, string])[];
  readonly failed?: string;
}

/** Part of a large body. */
export type Look = { readonly value: string } | { readonly keys: string; readonly like?: string } | { readonly has: string };

export type ProtobufFields = readonly (readonly [number, string | number | ProtobufFields])[];

export interface ProtobufBody {
  readonly apiVersion: string;
  readonly kind: string;
  readonly fields: ProtobufFields;
}

/** The envelope of a protobuf body. */
export function protobufBytes({ apiVersion, kind, fields }: ProtobufBody): Buffer {
  const type = messageBytes([
    [1, apiVersion],
    [2, kind],
  ]);
  return Buffer.concat([Buffer.from('k8s\0'), delimited(1, type), delimited(2, messageBytes(fields)), Buffer.from([0x1a, 0, 0x22, 0])]);
}

function messageBytes(fields: ProtobufFields): Buffer {
  return Buffer.concat(
    fields.map(([number, value]) => {
      if (typeof value === 'number') return Buffer.concat([varint(number << 3), varint(value)]);
      return delimited(number, typeof value === 'string' ? Buffer.from(value) : messageBytes(value));
    }),
  );
}

function delimited(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left & 127) | 128);
  return Buffer.from([...bytes, left]);
}
