/** A payload of the size and shape of a study: 27 members, hashes, amounts, a nested table. */
export function payload(seed: number): Record<string, unknown> {
  const digits = (length: number, salt: number): string =>
    Array.from({ length }, (_, index) =>
      ((index * 7919 + seed * 31 + salt * 17) % 16).toString(16),
    ).join('')
  const hash = (salt: number): string => `0x${digits(64, salt)}`
  return {
    title: 'Depth at the open of the launch pool',
    venue: { id: `venue_${digits(32, 1)}`, resourceVersion: hash(2) },
    baseAsset: `0x${digits(40, 3)}`,
    quoteAsset: `0x${digits(40, 4)}`,
    chainId: 8453,
    block: {
      number: 24_000_000 + seed,
      hash: hash(5),
      timestamp: '2026-01-31T12:00:00Z',
      chainId: 8453,
    },
    strategy: { id: `strategy_${digits(32, 6)}`, resourceVersion: hash(7) },
    isReference: true,
    budgetQuote: '250000000000',
    slippagePips: 5000,
    horizonSeconds: 604_800,
    note: null,
    usableDepthByTradeSize: Array.from({ length: 5 }, (_, index) => ({
      tradeSizeQuote: `${10 ** (index + 8)}`,
      buySlippagePips: 120 * (index + 1),
      sellSlippagePips: 140 * (index + 1),
      isReachable: index < 4,
    })),
    sources: [hash(8), hash(9), hash(10)],
    seed: `${seed}000000000000001`,
    engineVersion: 'liquidity-engine/1',
    limits: { maximumPaths: 10_000, maximumSteps: 2016, kind: 'BOUNDED' },
  }
}

const string = { type: 'string' }
const integer = { type: 'integer' }
const object = (properties: Record<string, unknown>): unknown => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})
const reference = object({ id: string, resourceVersion: string })

export const payloadSchema = object({
  title: string,
  venue: reference,
  baseAsset: string,
  quoteAsset: string,
  chainId: integer,
  block: object({ number: integer, hash: string, timestamp: string, chainId: integer }),
  strategy: reference,
  isReference: { type: 'boolean' },
  budgetQuote: string,
  slippagePips: integer,
  horizonSeconds: integer,
  note: { anyOf: [string, { type: 'null' }] },
  usableDepthByTradeSize: {
    type: 'array',
    items: object({
      tradeSizeQuote: string,
      buySlippagePips: integer,
      sellSlippagePips: integer,
      isReachable: { type: 'boolean' },
    }),
  },
  sources: { type: 'array', items: string },
  seed: string,
  engineVersion: string,
  limits: object({ maximumPaths: integer, maximumSteps: integer, kind: { const: 'BOUNDED' } }),
})
