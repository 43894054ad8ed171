import { exactHodlPnl, isUnmoved } from '../../families/simulate/studies/start-inventory.ts'
import {
  annualRatesWithheldOf,
  runSharesOf,
} from '../../families/simulate/studies/verdict-shares.ts'
import type { EngineFidelity } from '../../market/fidelity.ts'
import { daySeconds, hourSeconds, minuteSeconds } from '../../units.ts'
import type { StudyFile } from './study-file.ts'

export interface EngineStudy {
  readonly state: 'COMPLETED' | 'PARTIAL' | 'ABSTAINED'
  readonly reasons: readonly string[]
  readonly fidelity: EngineFidelity
  readonly window: {
    readonly fromBlock: number | null
    readonly toBlock: number | null
    readonly fromTime: number | null
    readonly toTime: number | null
  }
  readonly startPrice: { readonly num: string; readonly den: string } | null
  readonly endPrice: { readonly num: string; readonly den: string } | null
  readonly arms: readonly EngineArm[]
}

interface EngineArm {
  readonly armId: string
  readonly feeBand: { readonly low: string; readonly high: string }
  readonly results: readonly EngineRun[]
}

interface EngineRun {
  readonly flowModel: 'INELASTIC_INPUT' | 'PRICE_SETTING'
  readonly timeInRangePips: number | null
  readonly flow: { readonly volumeQuote: string; readonly arbitrageVolumeQuote: string }
  readonly waterfallHolder: Readonly<
    Record<
      'net' | 'fees' | 'hold' | 'divergenceLoss' | 'exposureDrift' | 'gas' | 'rebalanceCost',
      string
    >
  >
  readonly waterfallMaker: Readonly<Record<'lvr', string>>
  readonly opening: Readonly<Record<'deposited' | 'idle', { readonly base: string }>>
  readonly operations: {
    readonly actions: {
      readonly done: Readonly<Record<string, number>>
      readonly refused: Readonly<Record<string, number>>
    }
  }
  readonly depth: readonly {
    readonly bandPips: number
    readonly side: 'BUY' | 'SELL'
    readonly median: string
  }[]
  readonly measures?: {
    readonly failure: readonly { readonly failed: boolean; readonly timeSharePips: number }[]
  }
}

/** Text form of the result: a summary, then a table with a row per arm and flow model. */
export function printStudy(file: StudyFile, study: EngineStudy): string {
  const { fidelity, window, startPrice, endPrice } = study
  const { base, quote } = file.symbols
  const reasons = study.reasons.length > 0 ? ` (${study.reasons.join(', ')})` : ''
  const lines = [
    file.name,
    `  ${study.state}${reasons}: ${fidelity.eventsExact} of ${fidelity.eventsReplayed} events exact, blocks ${window.fromBlock} to ${window.toBlock}, ${spanOf(window)}`,
  ]
  if (startPrice !== null && endPrice !== null) {
    lines.push(
      `  price ${priceText(startPrice, file)} to ${priceText(endPrice, file)} ${quote} per ${base}`,
    )
  }
  if (study.arms.length > 0) lines.push('', ...table(file, study), '', ...legend(file, study))
  return `${lines.join('\n')}\n`
}

function spanOf({ fromTime, toTime }: EngineStudy['window']): string {
  if (fromTime === null || toTime === null) return 'times unknown'
  const seconds = toTime - fromTime
  const units = [
    [daySeconds, 'days'],
    [hourSeconds, 'hours'],
    [minuteSeconds, 'minutes'],
  ] as const
  const [size, name] = units.find(([length]) => seconds >= 3 * length) ?? [1, 'seconds']
  return `${Math.floor(seconds / size)} ${name}`
}

/** Depth is reported for the band nearest to 2 %. */
function findShownBand({ bandsPips = [20_000] }: StudyFile): number {
  const distance = (band: number) => Math.abs(band - 20_000)
  return bandsPips.reduce((best, band) => (distance(band) < distance(best) ? band : best))
}

function table(file: StudyFile, study: EngineStudy): string[] {
  const band = findShownBand(file)
  const rules = file.failure?.length ?? 0
  const ruleNames = Array.from({ length: rules }, (_, index) => `rule ${index + 1}`)
  const basis = basisOf(file, study)
  const isAnnual = annualRatesWithheldOf(basis.windowSeconds) === null
  const head = ['candidate', 'flow model', ...verdictHeads(isAnnual), 'gas', 'rebalancing']
  head.push('LVR', 'in range', 'buy depth', 'sell depth', ...ruleNames, 'traded', 'done', 'refused')
  head.push('inventory effect', 'vs initial capital')
  const zero = { netVsHodl: 0n, fees: 0n, il: 0n }
  const hodl = ['HODL', 'same inventory', ...verdictCells(zero, file, basis)]
  const others = head.length - hodl.length
  const rows = study.arms.flatMap((arm) =>
    arm.results.map((run) => [
      arm.armId,
      run.flowModel === 'PRICE_SETTING' ? 'price-matching' : 'fixed flow',
      ...verdictCells(netOf(arm.armId, run, file, study), file, basis),
      ...figures(file, run, band, rules),
    ]),
  )
  return printed([head, [...hodl, ...Array.from({ length: others }, () => '–')], ...rows])
}

function printed(lines: readonly (readonly string[])[]): string[] {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  return lines.map((cells) => {
    const padded = cells.map((cell, column) => {
      const width = widths[column] ?? 0
      return column < 2 ? cell.padEnd(width) : cell.padStart(width)
    })
    return `  ${padded.join('  ')}`
  })
}

type Basis = Omit<Parameters<typeof runSharesOf>[1], 'value'> & { readonly value: bigint | null }

/** Value of the capital at the start price and length of the window; null if unknown or zero. */
function basisOf({ capital }: StudyFile, { startPrice, window }: EngineStudy): Basis {
  const { fromTime, toTime } = window
  const worth =
    startPrice === null
      ? 0n
      : (BigInt(capital.base) * BigInt(startPrice.num)) / BigInt(startPrice.den) +
        BigInt(capital.quote)
  return {
    value: worth || null,
    windowSeconds: fromTime === null || toTime === null ? null : toTime - fromTime,
  }
}

interface Net {
  readonly netVsHodl: bigint
  readonly fees: bigint
  readonly il: bigint
}

function netOf(armId: string, run: EngineRun, file: StudyFile, study: EngineStudy): Net {
  const { net, fees, divergenceLoss } = run.waterfallHolder
  const netVsHodl = BigInt(net) - hodlOf(armId, run, file, study)
  return { netVsHodl, fees: BigInt(fees), il: -BigInt(divergenceLoss) }
}

/** P&L of HODL of the starting inventory. */
function hodlOf(armId: string, run: EngineRun, file: StudyFile, study: EngineStudy): bigint {
  const { hold, exposureDrift } = run.waterfallHolder
  const { startPrice, endPrice } = study
  if (startPrice === null || endPrice === null || isUnmoved(armId, file)) {
    return BigInt(hold) + BigInt(exposureDrift)
  }
  const exact = ({ num, den }: { num: string; den: string }) => ({
    num: BigInt(num),
    den: BigInt(den),
  })
  return exactHodlPnl(run, file.capital, { start: exact(startPrice), end: exact(endPrice) })
}

const verdictHeads = (isAnnual: boolean) => [
  ...['vs HODL', 'of capital', ...(isAnnual ? ['APR'] : [])],
  ...['LP fees', 'of capital', ...(isAnnual ? ['fee APR'] : []), 'IL', 'of capital'],
]

/** Amounts with their shares of the capital, and annual rates from 7 days on. */
function verdictCells(
  net: Net,
  { decimals }: StudyFile,
  { value, windowSeconds }: Basis,
): string[] {
  const shares = value === null ? null : runSharesOf(net, { value, windowSeconds })
  const isAnnual = annualRatesWithheldOf(windowSeconds) === null
  const share = (pips: number | null | undefined) => percent(pips ?? null, 2)
  return [
    ...[inUnits(net.netVsHodl, decimals.quote), share(shares?.netVsHodlPips)],
    ...(isAnnual ? [share(shares?.vsHodlAprPips)] : []),
    ...[inUnits(net.fees, decimals.quote), share(shares?.feesPips)],
    ...(isAnnual ? [share(shares?.feeAprPips)] : []),
    ...[inUnits(net.il, decimals.quote), share(shares?.ilPips)],
  ]
}

function figures(file: StudyFile, run: EngineRun, band: number, rules: number): string[] {
  const { waterfallHolder: holder, waterfallMaker, flow, operations, timeInRangePips } = run
  const quote = (atoms: bigint | string) => inUnits(BigInt(atoms), file.decimals.quote)
  const depth = (side: 'BUY' | 'SELL') => {
    const found = run.depth.find((one) => one.bandPips === band && one.side === side)
    return found === undefined ? '–' : quote(found.median)
  }
  const count = (counts: Readonly<Record<string, number>>) =>
    `${Object.values(counts).reduce((sum, n) => sum + n, 0)}`
  const vsCapital = BigInt(holder.net) - BigInt(holder.hold)
  return [
    quote(-BigInt(holder.gas)),
    quote(-BigInt(holder.rebalanceCost)),
    quote(waterfallMaker.lvr),
    percent(run.depth.length === 0 ? null : timeInRangePips),
    depth('BUY'),
    depth('SELL'),
    ...Array.from({ length: rules }, (_, rule) =>
      percent(run.measures?.failure[rule]?.timeSharePips ?? null),
    ),
    quote(BigInt(flow.volumeQuote) + BigInt(flow.arbitrageVolumeQuote)),
    count(operations.actions.done),
    count(operations.actions.refused),
    quote(holder.exposureDrift),
    quote(vsCapital),
  ]
}

function legend(file: StudyFile, study: EngineStudy): string[] {
  const { quote } = file.symbols
  const rules = (file.failure ?? []).map(
    (rule, index) => `rule ${index + 1}: share of the time in which ${ruleText(rule, file)}.`,
  )
  return [
    `Amounts in ${quote}. vs HODL: result minus HODL of the starting inventory.`,
    `of capital: share of the capital at the start price. ${annualText(study)}`,
    'IL: impermanent loss. rebalancing: cost of the candidate’s own swaps. LVR: loss versus rebalancing, for arbitrage and',
    'other trades. inventory effect: of another token ratio than that of the capital, at the start and after rebalancing.',
    'vs initial capital: the sum of LP fees, IL, gas, rebalancing and inventory effect.',
    `depth: depth of the candidate alone within ${findShownBand(file) / 10_000} % of the price, median over time.`,
    ...rules,
    'Two flow models. Fixed flow: the historical input, and arbitrage to the historical price. Price-matching: trades',
    'until the price matches history. The two rows of a candidate are a range, not a forecast.',
  ].map((line) => `  ${line}`)
}

function annualText({ window: { fromTime, toTime } }: EngineStudy): string {
  const seconds = fromTime === null || toTime === null ? null : toTime - fromTime
  switch (annualRatesWithheldOf(seconds)) {
    case 'WINDOW_BELOW_7_DAYS':
      return 'No fee APR and no APR vs HODL: the window is shorter than 7 days.'
    case 'WINDOW_UNKNOWN':
      return 'No fee APR and no APR vs HODL: the recording has no times.'
    case null:
      return 'APR: vs HODL, for 365 days.'
  }
}

function ruleText(rule: NonNullable<StudyFile['failure']>[number], file: StudyFile): string {
  const { quote } = file.symbols
  const amount = (atoms: string) => `${inUnits(BigInt(atoms), file.decimals.quote)} ${quote}`
  switch (rule.kind) {
    case 'DEPTH_BELOW':
      return `the thinner side of the market within ${rule.bandPips / 10_000} % is below ${amount(rule.minQuote)}`
    case 'SLIPPAGE_ABOVE':
      return `a ${rule.side === 'BUY' ? 'purchase' : 'sale'} of ${amount(rule.sizeQuote)} slips more than ${rule.maxPips / 10_000} %`
    case 'OUT_OF_RANGE':
      return 'no position is in range'
    case 'QUOTE_BELOW':
      return `the candidate holds less than ${amount(rule.minQuote)}`
    case 'BASE_SHARE_ABOVE':
      return `more than ${rule.pips / 10_000} % of its value is ${file.symbols.base}`
    case 'LOSS_VS_HOLD':
      return `the loss vs HODL exceeds ${rule.pips / 10_000} % of the capital`
    case 'DRAWDOWN':
      return `the drawdown exceeds ${rule.pips / 10_000} % of the capital`
    case 'PRICE_BELOW':
      return `the price is below ${priceText({ num: rule.priceX18, den: `${10n ** 18n}` }, file)} ${quote} per ${file.symbols.base}`
  }
}

/** Percentage with fixed digits, or with all digits if it would round to zero. */
function percent(pips: number | null, digits = 1): string {
  if (pips === null) return '–'
  const text = (pips / 10_000).toFixed(digits)
  return `${Number(text) === 0 && digits > 1 && pips !== 0 ? pips / 10_000 : text} %`
}

/** Atoms as whole units with three decimals, rounded toward zero. */
function inUnits(atoms: bigint, decimals: number): string {
  const size = atoms < 0n ? -atoms : atoms
  const thousandths = (size * 1000n) / 10n ** BigInt(decimals)
  const sign = atoms < 0n && thousandths > 0n ? '-' : ''
  const fraction = `${thousandths % 1000n}`.padStart(3, '0')
  return `${sign}${(thousandths / 1000n).toLocaleString('en-US')}.${fraction}`
}

/** A price of atoms as one of whole tokens, six digits after the point. */
function priceText(price: { num: string; den: string }, { decimals }: StudyFile): string {
  const scaled = BigInt(price.num) * 10n ** BigInt(decimals.base + 6)
  const millionths = scaled / (BigInt(price.den) * 10n ** BigInt(decimals.quote))
  return `${millionths / 1_000_000n}.${`${millionths % 1_000_000n}`.padStart(6, '0')}`
}
