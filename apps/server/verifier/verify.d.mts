/** What the verifier says of a bundle; see verify.mjs. */
export interface VerifierOptions {
  readonly issuerKey?: string | undefined
  readonly knownCheckpoint?: string
  readonly logKey?: string
  readonly witness?: string
  readonly at?: string
  readonly blockHashes?: ReadonlyMap<string, string>
}
export interface VerifierLine {
  readonly code: string
  readonly kind: string
  readonly result: 'PASS' | 'FAIL' | 'NOT_CHECKED' | 'ASSERTED'
  readonly detail: string
  /** Source and name of what a NOT_CHECKED line lacks. */
  readonly missing?: { readonly from: 'READER' | 'ISSUER' | 'BUNDLE'; readonly what: string }
}
/** Answer to one of the three questions. */
export interface VerifierAnswer {
  readonly name: 'signed' | 'figures' | 'current'
  readonly title: string
  readonly answer: 'PASS' | 'FAIL' | 'NOT_GIVEN'
  /** PASS, FAIL with the failed checks, or what is missing. */
  readonly text: string
}
export function verifyBundle(
  bytes: Uint8Array,
  options?: VerifierOptions,
): {
  ok: boolean
  answers: VerifierAnswer[]
  results: Record<string, string>
  /** Local and test chains on which the evidence lies; empty for a real market. */
  simulated: number[]
  lines: VerifierLine[]
}
export function simulatedWords(found: { simulated: number[] }): string
export const internals: {
  testChains: ReadonlySet<number>
  limits: {
    bytes: number
    ticks: number
    handovers: number
    statements: number
    revocations: number
  }
  canonical: (value: unknown) => string
  H: (tag: string, value: unknown) => string
  keccak256: (bytes: Uint8Array) => Uint8Array
  slippage: (
    state: unknown,
    baseIsToken0: boolean,
    size: bigint,
  ) => { buy: number; sell: number } | null
  saleOf: (state: unknown, baseIsToken0: boolean, amount: bigint) => bigint | null
  rootOf: (leaves: readonly Uint8Array[]) => Uint8Array
  recover: (digest: Uint8Array, signature: Uint8Array) => string | null
  readZip: (bytes: Uint8Array) => Map<string, Uint8Array>
  sqrtAtTick: (tick: number) => bigint
  mapped: (key: string, slot: number) => Uint8Array
  trieValue: (root: Uint8Array, key: Uint8Array, proof: readonly string[]) => Uint8Array | null
}
