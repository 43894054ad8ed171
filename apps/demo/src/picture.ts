import type { ObservationRecord, StudyRecord } from './resources.ts'

const bar = (share: number, width: number) =>
  '█'.repeat(Math.round(share * width)).padEnd(width, '·')

/** An amount in whole tokens with a few digits; for the eye, the record has the atoms. */
export function whole(atoms: string, decimals = 18, digits = 3): string {
  const negative = atoms.startsWith('-')
  const text = (negative ? atoms.slice(1) : atoms).padStart(decimals + 1, '0')
  const integer = BigInt(text.slice(0, -decimals)).toLocaleString('en-US')
  const fraction =
    digits === 0
      ? ''
      : `.${text.slice(-decimals, -decimals + digits || undefined).padEnd(digits, '0')}`
  return `${negative ? '-' : ''}${integer}${fraction}`
}

/** What the demo found, as a few lines of a terminal. */
export function picture(observation: ObservationRecord, study: StudyRecord): string {
  const { metrics, continuity } = observation.payload
  const deepest = metrics.depth.reduce(
    (most, { quote }) => (BigInt(quote) > most ? BigInt(quote) : most),
    1n,
  )
  const depth = metrics.depth.map(({ bandPips, side, quote }) => {
    const share = Number((BigInt(quote) * 1000n) / deepest) / 1000
    const band = `${side === 'BUY' ? '+' : '-'}${bandPips / 10_000} %`
    return `  ${band.padStart(6)}  ${bar(share, 32)}  ${whole(quote)} WETH`
  })
  const { fidelity } = continuity
  const exact = (part: { replayed: number; exact: number }) => `${part.exact} of ${part.replayed}`
  const arms = (study.payload.result?.arms ?? []).flatMap((arm) => {
    if (!('flowModel' in arm) || arm.armId.startsWith('benchmark-')) return []
    const { net, fees, divergenceLoss } = arm.waterfallHolder
    const inRange =
      arm.timeInRangePips === null ? '      –' : `${(arm.timeInRangePips / 10_000).toFixed(1)} %`
    return `  ${arm.armId.padEnd(11)} ${arm.flowModel.padEnd(16)} ${whole(net).padStart(10)} ${whole(fees).padStart(9)} ${whole(divergenceLoss).padStart(9)} ${inRange.padStart(9)}`
  })
  return [
    '',
    `Depth at block ${observation.payload.state.at.number}, price ${whole(metrics.midX18, 18, 6)} WETH per ENS`,
    ...depth,
    '',
    `Replay: ${exact(fidelity.swaps)} swaps and ${exact(fidelity.liquidityChanges)} liquidity changes exact, fidelity ${percent(fidelity)}`,
    '',
    'Study, 10,000 ENS and 100 WETH from the first price on, in WETH',
    `  ${'arm'.padEnd(11)} ${'traders'.padEnd(16)} ${'net'.padStart(10)} ${'fees'.padStart(9)} ${'loss'.padStart(9)} ${'in range'.padStart(9)}`,
    ...arms,
    '  Both rows of an arm bracket what traders would have done; they are assumptions, not a forecast.',
    '',
  ].join('\n')
}

function percent({
  eventsReplayed,
  eventsExact,
}: {
  eventsReplayed: number
  eventsExact: number
}): string {
  return eventsReplayed === 0
    ? '–'
    : `${((100 * eventsExact) / eventsReplayed).toFixed(eventsExact === eventsReplayed ? 0 : 3)} %`
}
