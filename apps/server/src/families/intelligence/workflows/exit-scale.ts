import {
  type Analysis,
  type Conclusion,
  computed,
  figureOf,
  finding,
  limitations,
  missingIn,
  type Reason,
  type Section,
  stateOf,
} from './workflow.ts'

const whole = 1_000_000n

/** ⌈part · 10^6 / all⌉; `all` is above zero. */
const pipsUp = (part: bigint, all: bigint) => (part * whole + all - 1n) / all

const own = [
  'The amount is compared with reserves. This is not an estimate of the proceeds of a sale.',
  'For v3 pools, only the holdings of the active range count.',
] as const

/**
 * Compares a token amount with its pool reserves: ⌈amount · 10^6 / Σ reserve⌉ in total, and per
 * pool.
 *
 * @param baseAmount atoms of the token, above zero
 */
export function exitScale(analysis: Analysis, baseAmount: bigint): Conclusion {
  const base = { limitations: [...limitations, ...own] }
  const reasons = missingIn([analysis]).filter((reason) => reason === 'POOLS_MISSING')
  const reserves = analysis.pools.flatMap((pool, index) =>
    pool.reserveBase.value === null
      ? []
      : [{ pool, index, reserve: BigInt(pool.reserveBase.value) }],
  )
  const sum = reserves.reduce((total, { reserve }) => total + reserve, 0n)
  if (sum === 0n) {
    return {
      ...base,
      state: 'ABSTAINED',
      reasons: [...reasons, ...nothingBy(analysis)],
      sections: [],
    }
  }
  const total: Section = {
    id: 'total',
    title: 'Amount vs all pools',
    findings: [
      finding(
        'SHARE_OF_RESERVES',
        'The amount, the total that the observed pools can pay out in the token, and the share, rounded up.',
        [
          computed(baseAmount, 'ATOMS', 0),
          computed(sum, 'ATOMS', 0),
          computed(pipsUp(baseAmount, sum), 'PIPS', 0),
        ],
      ),
    ],
  }
  const each: Section = {
    id: 'pools',
    title: 'Amount vs each pool',
    findings: reserves.map(({ pool, index, reserve }) =>
      finding(
        reserve === 0n ? 'EMPTY_POOL' : 'SHARE_OF_POOL',
        `${pool.kind} ${pool.address}: the payout capacity in the token, and the share of the whole amount, rounded up.`,
        [
          figureOf(0, `/pools/${index}/reserveBase`, pool.reserveBase, 'ATOMS'),
          reserve === 0n ? null : computed(pipsUp(baseAmount, reserve), 'PIPS', 0),
        ],
      ),
    ),
  }
  return { ...base, state: stateOf(reasons), reasons, sections: [total, each] }
}

/** Reasons no reserve is available, except read failures. */
function nothingBy({ pools }: Analysis): Reason[] {
  if (pools.length === 0) return ['NO_POOL']
  return pools.every(({ reserveBase }) => reserveBase.value !== null) ? ['NO_RESERVE'] : []
}
