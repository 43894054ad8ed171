import Type, { type Static, type TSchema } from 'typebox'

/**
 * Gives a schema its name in the OpenAPI document. The same name always carries the same schema; the
 * printer asserts it. The keyword survives the copies that `Type.Optional` and the like make.
 */
export function named<const S extends TSchema>(name: string, schema: S): S {
  return Object.assign(schema, { 'x-name': name })
}

/** An object that rejects unknown members, like every object of the contract. */
export function closed<const P extends Record<string, TSchema>>(
  properties: P,
  options: { description?: string; examples?: unknown[] } = {},
) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

/** One of a fixed list of values. */
export function oneOf<const V extends readonly string[]>(values: V, description: string) {
  return Type.Unsafe<V[number]>(Type.Enum([...values], { description }))
}

/** The value, or null if known to be absent. */
export function orNull<const S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()])
}

/** A list with an upper bound; the contract has no unbounded lists. */
export function list<const S extends TSchema>(
  items: S,
  maxItems: number,
  options: { minItems?: number; description?: string; uniqueItems?: boolean } = {},
) {
  return Type.Array(items, { maxItems, ...options })
}

/** A map from any key to values of one schema. */
export function mapOf<const S extends TSchema>(values: S, description: string) {
  return Type.Unsafe<Record<string, Static<S>>>({
    type: 'object',
    additionalProperties: values,
    description,
  })
}

/** Any JSON object; used where the schema is published with its family or belongs to the caller. */
export function openObject(description: string) {
  return Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description,
  })
}

export const Hash = named(
  'Hash',
  Type.String({
    pattern: '^0x[0-9a-f]{64}$',
    description:
      'SHA-256 of a domain tag and RFC 8785 canonical JSON, or keccak-256 for chain data: 0x and 64 lower-case hex digits.',
    examples: ['0x1111111111111111111111111111111111111111111111111111111111111111'],
  }),
)

export const AtomicAmount = named(
  'AtomicAmount',
  Type.String({
    pattern: '^(0|[1-9][0-9]{0,77})$',
    description:
      'Unsigned integer below 2^256 in atomic units of the named asset, as a decimal string without leading zeros.',
    examples: ['1000000'],
  }),
)

/** Pattern of decimals without leading zeros up to a maximum. */
export function decimalsTo(most: bigint): string {
  const digits = `${most}`
  const rest = (place: number) => {
    const count = digits.length - place - 1
    return count === 0 ? '' : `[0-9]{${count}}`
  }
  // Of the same length: equal up to a digit, then a smaller digit, then any digits.
  const smaller = [...digits].flatMap((digit, index) => {
    const least = index === 0 ? 1 : 0
    const below = Number(digit) - 1
    return below < least ? [] : [`${digits.slice(0, index)}[${least}-${below}]${rest(index)}`]
  })
  return `^(0|[1-9][0-9]{0,${digits.length - 2}}|${[...smaller, digits].join('|')})$`
}

/** 64 bits, for seeds of price paths and nonces of wallets. */
export const decimals64 = decimalsTo(2n ** 64n - 1n)

export const SignedAmount = named(
  'SignedAmount',
  Type.String({
    pattern: '^(0|-?[1-9][0-9]{0,77})$',
    description: 'Signed integer in atomic units, decimal string. Default unit: the quote asset.',
    examples: ['-250000'],
  }),
)

export const Pips = named(
  'Pips',
  Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    description: 'A share in millionths: 1 pip = 1e-6, so 3000 is 0.30 %.',
    examples: [3000],
  }),
)

export const PriceX18 = named(
  'PriceX18',
  Type.String({
    pattern: '^(0|[1-9][0-9]{0,77})$',
    description: 'Quote atoms per one base atom, times 1e18, decimal string.',
    examples: ['2000000000000000000'],
  }),
)

export const PriceX36 = Type.String({
  pattern: '^(0|[1-9][0-9]{0,99})$',
  description: 'Quote atoms per base atom, times 10^36, rounded down, as a decimal string.',
})

export const MidCoarse = Type.Boolean({
  description: 'True if midX18 has fewer than six digits. Use midX36.',
})

export const Address = named(
  'Address',
  Type.String({
    pattern: '^0x[0-9a-fA-F]{40}$',
    description:
      'Account or contract of an EVM chain. Accepted in one case, or in mixed case with a valid EIP-55 checksum (on chains 30 and 31 also EIP-1191); always returned with its EIP-55 checksum.',
    examples: ['0x92560C178cE069CC014138eD3C2F5221Ba71f58a'],
  }),
)

export const PastedAddress = named(
  'PastedAddress',
  Type.String({
    pattern: '^\\s*((eip155:[1-9][0-9]{0,15}|[a-z0-9-]{1,20}):)?0x[0-9a-fA-F]{40}\\s*$',
    maxLength: 200,
    description:
      'Address as an explorer or a wallet copies it: with or without the prefix of its chain, such as eth: or eip155:1:.',
    examples: ['0x92560C178cE069CC014138eD3C2F5221Ba71f58a'],
  }),
)

export const Timestamp = named(
  'Timestamp',
  Type.String({
    format: 'date-time',
    maxLength: 40,
    description: 'RFC 3339 date and time with an offset; stored and returned in UTC with Z.',
    examples: ['2026-01-01T00:00:00.000Z'],
  }),
)

export const RecordId = named(
  'RecordId',
  Type.String({
    pattern: '^[a-zA-Z0-9][a-zA-Z0-9:_-]{2,159}$',
    description:
      'Identifier of a record: a prefix that names its kind, and 32 hex digits (UUIDv7).',
    examples: ['venue_0198f0f0c0de7000800000000000a001'],
  }),
)

export const Reason = named(
  'Reason',
  Type.String({
    minLength: 3,
    maxLength: 500,
    description: "Actor's reason for the change; retained permanently.",
    examples: ['Reviewed with the treasury team'],
  }),
)

export const EvidenceHashes = named(
  'EvidenceHashes',
  list(Hash, 256, { description: 'Evidence hashes of the change; a set.' }),
)

export const ChainId = named(
  'ChainId',
  Type.Integer({
    minimum: 1,
    maximum: 9_007_199_254_740_991,
    description: 'EIP-155 chain identifier.',
    examples: [1],
  }),
)

export const BlockNumber = named(
  'BlockNumber',
  Type.Integer({
    minimum: 0,
    maximum: 9_007_199_254_740_991,
    description: 'Height of a block.',
    examples: [13578816],
  }),
)

/** A short human name. */
export const Label = Type.String({ minLength: 1, maxLength: 120, description: 'A human name.' })

export type Hash = Static<typeof Hash>
export type AtomicAmount = Static<typeof AtomicAmount>
export type Address = Static<typeof Address>
export type Timestamp = Static<typeof Timestamp>
