import type { SignedLeg } from '../src/detection/linked-signers.ts'
import type { DrawStream } from '../src/random/streams.ts'

/**
 * A wash trade within a trip: share of the trip size, negative for a sale, and seconds after the
 * trip began.
 */
interface PlannedLeg {
  readonly signer: string
  readonly part: number
  readonly after: number
  /** A genuine additional buy, not part of the wash trade. */
  readonly isKept?: true
  /** Recipient and caller, if different from the signer and a public router. */
  readonly recipient?: string
  readonly sender?: string
}

export interface Scheme {
  readonly name: string
  /** Seconds from trip to trip. */
  readonly every: number
  readonly trip: (number: number, draw: () => number) => PlannedLeg[]
}

const inTurns = (signers: readonly string[], parts: readonly number[], seconds = 120) =>
  parts.map((part, index) => ({
    signer: signers[index % signers.length]!,
    part,
    after: index * seconds,
  }))

/** Sizes that pass from trader to trader; each trader retains up to 1/150. */
function keepingCrumbs(count: number, draw: () => number): number[] {
  let part = 1
  return Array.from({ length: count }, (_, index) => {
    if (index > 0) part *= 1 - draw() / 150
    return index % 2 === 0 ? part : -part
  })
}

/** Every two of fifteen, more pairs than a day has quarters of an hour. */
const pairs = Array.from({ length: 15 }, (_, first) =>
  Array.from({ length: first }, (__, second) => [`w${first}`, `w${second}`] as const),
).flat()

const pick = (names: number, draw: () => number) => `w${Math.floor(draw() * names)}`

/** Wash schemes, from the simplest to undetectable ones. */
export const schemes: readonly Scheme[] = [
  {
    name: 'one signer, four legs an hour',
    every: 3600,
    trip: () => inTurns(['w'], [1, -1, 1, -1]),
  },
  {
    name: 'one signer, four legs across the full hour',
    every: 3600,
    trip: () => inTurns(['w'], [1, -1, 1, -1]).map((leg) => ({ ...leg, after: leg.after + 3360 })),
  },
  {
    name: 'one signer, four legs with sizes off by up to a tenth',
    every: 3600,
    trip: (_, draw) =>
      inTurns(
        ['w'],
        [1, -1, 1, -1].map((part) => part * (1 + draw() / 10)),
      ),
  },
  {
    name: 'one signer, three legs an hour',
    every: 3600,
    trip: (_, draw) => {
      const part = 0.3 + 0.4 * draw()
      return inTurns(['w'], [1, -part, part - 1])
    },
  },
  {
    name: 'one signer, a purchase and a sale every two hours',
    every: 7200,
    trip: () => inTurns(['w'], [1, -1], 600),
  },
  {
    name: 'one signer, as much bought for good beside',
    every: 3600,
    trip: () =>
      inTurns(['w'], [1, -1, 4, 1, -1]).map((leg) =>
        leg.part === 4 ? { ...leg, isKept: true } : leg,
      ),
  },
  {
    name: 'three signers in a circle, all handed on',
    every: 3600,
    trip: () => inTurns(['w1', 'w2', 'w3'], [1, -1, 1, -1, 1, -1]),
  },
  {
    name: 'three signers in a circle, crumbs kept',
    every: 1800,
    trip: (_, draw) => inTurns(['w1', 'w2', 'w3'], keepingCrumbs(6, draw)),
  },
  {
    name: 'one signer buys, another one sells, crumbs kept',
    every: 1800,
    trip: (_, draw) => inTurns(['w1', 'w2'], keepingCrumbs(2, draw)),
  },
  {
    name: 'eight signers, roles drawn, crumbs kept',
    every: 600,
    trip: (_, draw) =>
      keepingCrumbs(2, draw).map((part, index) => ({
        signer: pick(8, draw),
        part,
        after: index * 120,
      })),
  },
  {
    name: 'a new signer for every leg, all handed on',
    every: 900,
    trip: (trip) => inTurns([`n${trip}a`, `n${trip}b`], [1, -1]),
  },
  {
    name: 'one signer buys, two new ones sell parts of it',
    every: 900,
    trip: (trip, draw) => {
      const part = 0.3 + 0.4 * draw()
      return inTurns(['w', `n${trip}a`, `n${trip}b`], [1, -part, part - 1])
    },
  },
  {
    name: 'fifty signers over one contract, all handed on',
    every: 900,
    trip: (_, draw) =>
      inTurns([pick(50, draw), pick(50, draw)], [1, -1]).map((leg) => ({
        ...leg,
        sender: 'own contract',
        recipient: 'own contract',
      })),
  },
  {
    name: 'a new signer for every leg, crumbs kept',
    every: 900,
    trip: (trip, draw) => inTurns([`n${trip}a`, `n${trip}b`], keepingCrumbs(2, draw)),
  },
  {
    name: 'fifteen signers, every two of them once, crumbs kept',
    every: 900,
    trip: (trip, draw) => inTurns(pairs[trip % pairs.length]!, keepingCrumbs(2, draw)),
  },
  {
    name: 'one signer, fifteen trades of dust between two legs',
    every: 3600,
    trip: () => inTurns(['w'], [1, ...Array<number>(15).fill(0.0001), -1], 60),
  },
]

/** A recorded tape of one venue, in chain order, and the fee that its pool takes. */
export interface Tape {
  readonly name: string
  readonly legs: readonly SignedLeg[]
  readonly feePips: number
}

/**
 * Stages wash trades in a tape. Each executes at the price of the previous trade plus a fee, so the
 * wash trader realistically gains or loses from market moves.
 *
 * @param share of the wash trades in the combined volume, above 0 and below 1
 */
export function stage(tape: Tape, scheme: Scheme, share: number, draws: DrawStream) {
  const [from, to] = [tape.legs[0]!.at, tape.legs.at(-1)!.at]
  const draw = () => draws.uniform()
  const planned: { at: number; size: number; leg: PlannedLeg }[] = []
  const begin = Math.ceil(from / 3600) * 3600
  for (let trip = 0; begin + trip * scheme.every + 3600 <= to; trip += 1) {
    const size = 0.5 + draw()
    const at = begin + trip * scheme.every
    for (const leg of scheme.trip(trip, draw)) planned.push({ at: at + leg.after, size, leg })
  }
  const honest = tape.legs.reduce((sum, { volumeQuote }) => sum + Number(volumeQuote), 0)
  const washing = planned.filter(({ leg }) => leg.isKept === undefined)
  const parts = washing.reduce((sum, { size, leg }) => sum + size * Math.abs(leg.part), 0)
  const tripQuote = (honest * share) / (1 - share) / parts
  const staged = planned.map(({ at, size, leg }) => ({
    leg: washLeg(tape, at, { ...leg, part: size * leg.part }, tripQuote),
    isWashed: leg.isKept === undefined,
  }))
  const legs = [...tape.legs, ...staged.map(({ leg }) => leg)].sort((a, b) => a.at - b.at)
  const washed = new Set(staged.flatMap(({ leg, isWashed }) => (isWashed ? [leg] : [])))
  return { legs, washed }
}

const PARTS = 2 ** 20

function washLeg(tape: Tape, at: number, leg: PlannedLeg, tripQuote: number): SignedLeg {
  const before = tape.legs.findLast((one) => one.at <= at) ?? tape.legs[0]!
  const first = tape.legs[0]!
  // All sizes use the first price, so bought and sold amounts are equal.
  const unit = (tripQuote * Number(abs(first.base))) / Number(first.volumeQuote)
  // Sizes are integer multiples of 2^20 parts, so that parts sum exactly to the whole.
  const base = BigInt(Math.round(leg.part * PARTS)) * BigInt(Math.round(unit / PARTS))
  const worth = (abs(base) * before.volumeQuote) / abs(before.base)
  const fee = (worth * BigInt(tape.feePips)) / 1_000_000n
  return {
    venueId: first.venueId,
    at,
    base,
    volumeQuote: base > 0n ? worth + fee : worth - fee,
    origin: leg.signer,
    sender: leg.sender ?? first.sender,
    recipient: leg.recipient ?? leg.signer,
  }
}

const abs = (value: bigint) => (value < 0n ? -value : value)
