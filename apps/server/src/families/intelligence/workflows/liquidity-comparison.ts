import {
  type Analysis,
  type Conclusion,
  computed,
  type Finding,
  figureOf,
  finding,
  limitations,
  missingIn,
  type Section,
  stateOf,
} from './workflow.ts'

const whole = 1_000_000n

/** Compares two observations: reserves by common quote asset, control, and number of pools. */
export function liquidityComparison(first: Analysis, second: Analysis): Conclusion {
  const missing = missingIn([first, second])
  const [ofFirst, ofSecond] = [reservesByQuote(first), reservesByQuote(second)]
  const common = [...ofFirst.keys()].filter((key) => ofSecond.has(key)).sort()
  const base = { limitations: [...limitations, oneSided] }
  if (common.length === 0) {
    const reasons = [...missing, 'NOT_COMPARABLE' as const]
    return { ...base, state: 'ABSTAINED', reasons, sections: [control(first, second)] }
  }
  const reserves: Section = {
    id: 'reserves',
    title: 'Payout capacity of pools by quote asset',
    findings: common.map((key) =>
      // The keys are of both.
      reserveFinding(key, ofFirst.get(key) ?? 0n, ofSecond.get(key) ?? 0n),
    ),
  }
  const sections = [reserves, pools(first, second), control(first, second)]
  return { ...base, state: stateOf(missing), reasons: missing, sections }
}

const oneSided =
  'Reserves in different quote assets are not added, because observations have no prices for that.'

/** Sums of known reserves by quote asset, in atoms. */
function reservesByQuote({ pools: found }: Analysis): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { quote, reserveQuote } of found) {
    if (reserveQuote.value === null) continue
    const sum = sums.get(quote.assetKey) ?? 0n
    sums.set(quote.assetKey, sum + BigInt(reserveQuote.value))
  }
  return sums
}

function reserveFinding(key: string, first: bigint, second: bigint): Finding {
  return finding(
    'RESERVES',
    `Atoms of ${key}${first === 0n ? '.' : ', and the second in millionths of the first, rounded down.'}`,
    [
      computed(first, 'ATOMS', 0),
      computed(second, 'ATOMS', 1),
      first === 0n ? null : computed((second * whole) / first, 'PIPS', null),
    ],
  )
}

function pools(first: Analysis, second: Analysis): Section {
  return {
    id: 'pools',
    title: 'Number of pools',
    findings: [
      finding('POOLS', 'Pools per observation.', [
        computed(first.pools.length, 'COUNT', 0),
        computed(second.pools.length, 'COUNT', 1),
      ]),
    ],
  }
}

const compared = ['proxy', 'ownerKind', 'mint', 'pause'] as const

function control(first: Analysis, second: Analysis): Section {
  return {
    id: 'control',
    title: 'Token control',
    findings: compared.map((name) => {
      const pointer = `/control/${name}`
      const [one, other] = [first.control[name], second.control[name]]
      const isKnown = one.value !== null && other.value !== null
      const code = !isKnown ? 'NOT_KNOWN' : one.value === other.value ? 'SAME' : 'DIFFERENT'
      return finding(code, `${name} in both observations.`, [
        figureOf(0, pointer, one, 'TEXT'),
        figureOf(1, pointer, other, 'TEXT'),
      ])
    }),
  }
}
