/** One JSON-RPC request as it arrives. */
export type RpcCall = { readonly method: string; readonly params: readonly unknown[] }

/** Response of a provider: a result, an error, or none. */
export type RpcAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }
  | 'HANG'

/** Decides a response; `forward` asks the real node, by default the same call. */
export type Behaviour = (
  call: RpcCall,
  forward: (call?: RpcCall) => Promise<{ result?: unknown }>,
) => Promise<RpcAnswer | { result?: unknown }>

export type Envelope = RpcCall & { readonly id: unknown }

/** A response to a whole HTTP request, in place of one per call. */
export interface HttpAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Decides a response to a whole HTTP request; null serves each call. */
export type HttpBehaviour = (
  envelopes: readonly Envelope[],
  request: { readonly url: string },
) => HttpAnswer | 'HANG' | 'CUT' | 'DRIP' | 'GZIP_BOMB' | null

/** Changes the responses of one HTTP request before they are sent. */
export type BatchBehaviour = (
  answers: readonly object[],
  envelopes: readonly Envelope[],
) => readonly object[]
