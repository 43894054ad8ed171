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
  if (study.arms.length > 0) lines.push('', ...table(file, study), '', ...legend(file))
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

function table(file: StudyFile, { arms }: EngineStudy): string[] {
  const band = findShownBand(file)
  const rules = file.failure?.length ?? 0
  const ruleNames = Array.from({ length: rules }, (_, index) => `rule ${index + 1}`)
  const head = ['arm', 'flow model', 'vs HODL', 'fees', 'IL', 'gas', 'swaps']
  head.push('LVR', 'in range', 'buy depth', 'sell depth', ...ruleNames, 'traded', 'done', 'refused')
  head.push('inventory', 'vs capital')
  const rows = arms.flatMap((arm) =>
    arm.results.map((run) => [
      arm.armId,
      run.flowModel === 'PRICE_SETTING' ? 'price-matching' : 'fixed flow',
      ...figures(file, run, band, rules),
    ]),
  )
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  return [head, ...rows].map((cells) => {
    const padded = cells.map((cell, column) => {
      const width = widths[column] ?? 0
      return column < 2 ? cell.padEnd(width) : cell.padStart(width)
    })
    return `  ${padded.join('  ')}`
  })
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
    quote(vsCapital - BigInt(holder.exposureDrift)),
    quote(holder.fees),
    quote(-BigInt(holder.divergenceLoss)),
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

function legend(file: StudyFile): string[] {
  const { quote } = file.symbols
  const rules = (file.failure ?? []).map(
    (rule, index) => `rule ${index + 1}: share of the time in which ${ruleText(rule, file)}.`,
  )
  return [
    `Amounts in ${quote}. vs HODL: result minus HODL of the starting inventory; the sum of fees, IL, gas and swaps.`,
    'IL: impermanent loss. swaps: cost of the arm’s own swaps. LVR: loss versus rebalancing, for arbitrage and other trades.',
    'inventory: effect of starting with another token ratio than the capital. vs capital: vs HODL plus inventory.',
    `depth: depth of the arm alone within ${findShownBand(file) / 10_000} % of the price, median over time.`,
    ...rules,
    'Two flow models. Fixed flow: the historical input, and arbitrage to the historical price. Price-matching: trades',
    'until the price matches history. The two rows of an arm are a range, not a forecast.',
  ].map((line) => `  ${line}`)
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
      return `the arm holds less than ${amount(rule.minQuote)}`
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

const percent = (pips: number | null) => (pips === null ? '–' : `${(pips / 10_000).toFixed(1)} %`)

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
