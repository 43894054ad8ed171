import {
  type ChartCells,
  type ChartSeries,
  type ChartSpec,
  columnsOf,
  decimalOf,
  named,
  printValue,
} from '@liquidity-os/drawing'
import { type DrawnProgram, depthCosts, isMeasured, responseCurve } from './response-curves.ts'

/** The charts of a program. */
export const incentiveCharts = (program: DrawnProgram): ChartSpec[] =>
  [frontierChart, responseChart, liftChart, retentionChart, depthCostChart].map((chart) =>
    chart(program),
  )

const quote = 'quote tokens'
const percent = (pips: number) => decimalOf(`${pips}`, 4)
const digits = (value: number) => `${Number(value.toPrecision(6))}`
const tokens = (atoms: string, { payload }: DrawnProgram) =>
  decimalOf(atoms, payload.request.pair.quoteDecimals)
/** The end of a venue ID, because IDs of one day share a prefix. */
const venueName = (venueId: string) => `…${venueId.slice(-8)}`

const objectives = {
  TRADER_COST_SAVED: 'Trader cost saved minus rewards and dilution',
  DEPTH_DAYS: 'Depth summed over days',
  VOLUME: 'Additional volume',
} as const

/** Maximum benefit by spend with its interval, and the chosen program. */
function frontierChart(program: DrawnProgram): ChartSpec {
  const { request, result } = program.payload
  const band = `${percent(request.confidencePips)} % band`
  const spend = tokens(result.forecast.cost.mean, program)
  const benefit = benefitOf(program)
  const isPilot = result.frontier.length === 0
  const chosen = isPilot || benefit === null ? [] : [['Program', spend, null, benefit, null]]
  const spends = chosen.length > 0 ? ` The program spends ${printValue(Number(spend))}.` : ''
  return {
    id: 'incentive-frontier',
    kind: 'xy',
    title: 'Benefit by reward spend',
    summary: isPilot
      ? 'A pilot forecasts no benefit.'
      : `Best benefit at ${result.frontier.length} spend levels, with a ${band}.${spends}`,
    x: { label: 'Total rewards', unit: quote, scale: 'linear', zero: true },
    y: { label: objectives[request.objective], unit: quote, scale: 'linear', zero: true },
    table: {
      columns: frontierColumns,
      rows: [
        ...result.frontier.map(({ spendQuote, low, mean, high }) => [
          ...['Frontier', ...[spendQuote, low, mean, high].map((atoms) => tokens(atoms, program))],
        ]),
        ...chosen,
      ],
    },
    series: [
      { ...onFrontier, id: 'band', label: band, mark: 'band', y: ['low', 'high'] },
      { ...onFrontier, id: 'mean', label: 'Mean of draws', mark: 'line', y: ['mean'] },
      programPoint,
    ],
    markers: chosen.length > 0 ? [{ at: spend, label: 'Program', tone: 'warn' }] : [],
    empty: 'A pilot forecasts no benefit. It measures how liquidity responds.',
  }
}

const onFrontier = { role: 'observed', x: 'spend', where: { kind: 'Frontier' } } as const
const programPoint: ChartSeries = {
  id: 'program',
  label: 'Program',
  mark: 'point',
  role: 'observed',
  x: 'spend',
  y: ['mean'],
  where: { kind: 'Program' },
}
const frontierColumns = columnsOf({
  kind: 'Row',
  spend: ['Total rewards', quote],
  low: ['Low', quote],
  mean: ['Mean', quote],
  high: ['High', quote],
})

/** Forecast value of the objective; null in a pilot. */
function benefitOf(program: DrawnProgram): string | null {
  const { request, result } = program.payload
  const { net, depthLift, volumeLift } = result.forecast
  if (request.objective === 'TRADER_COST_SAVED') return net && tokens(net.mean, program)
  if (request.objective === 'VOLUME') return volumeLift && tokens(volumeLift.mean, program)
  return depthLift && tokens(`${BigInt(depthLift.mean) * BigInt(request.days)}`, program)
}

/** Maximum venues in the chart; the record's table lists all. */
const maxVenues = 6

/** Depth response to rewards by venue: range and median of the draws, and the chosen reward. */
function responseChart(program: DrawnProgram): ChartSpec {
  const { allocation } = program.payload.result
  const shown = allocation.slice(0, maxVenues)
  const curves = shown.map((_, index) => responseCurve(program, index))
  const note = isMeasured(program)
    ? 'Draws within the errors of earlier program measurements.'
    : 'No program has measured the response. The draws range from none to all of the yield-driven response.'
  return {
    id: 'incentive-response',
    kind: 'xy',
    title: 'Depth response to rewards',
    summary: `${note} ${shown.length} of ${allocation.length} venues.`,
    x: { label: 'Reward per day', unit: quote, scale: 'linear', zero: true },
    y: { label: 'Final depth gain', unit: quote, scale: 'linear', zero: true },
    panels: shown.map(({ venueId }, index) => ({ id: `${index}`, title: venueName(venueId) })),
    table: {
      columns: responseColumns,
      rows: curves.flatMap((curve, index) =>
        (curve?.points ?? []).map(({ reward, gains }) => [
          ...[`${index}`, shown[index]!.venueId, digits(reward), ...gains.map(digits)],
        ]),
      ),
    },
    series: shown.flatMap((_, index) => responseSeries(`${index}`)),
    markers: curves.flatMap((curve, index) =>
      curve && curve.chosen > 0
        ? [{ at: digits(curve.chosen), label: 'Program', tone: 'warn', panel: `${index}` }]
        : [],
    ),
    notes: [note],
    empty: 'No trades in the baseline.',
  }
}

function responseSeries(panel: string): ChartSeries[] {
  const about = { role: 'estimate', x: 'reward', where: { panel }, panel } as const
  const band = { ...about, mark: 'band', stack: 'draws' } as const
  return [
    { ...band, id: `${panel} all`, label: 'All draws', y: ['low', 'high'] },
    { ...band, id: `${panel} most`, label: '10–90 % of draws', y: ['p10', 'p90'] },
    { ...about, id: `${panel} median`, label: 'Median', mark: 'line', y: ['median'] },
  ]
}

const responseColumns = columnsOf({
  panel: 'Panel',
  venue: 'venueId',
  reward: ['Reward per day', quote],
  low: ['Lowest gain', quote],
  p10: ['p10', quote],
  median: ['Median', quote],
  p90: ['p90', quote],
  high: ['Highest gain', quote],
})

const methods = {
  BEFORE_AFTER: 'vs the period before; no control',
  DIFFERENCE_IN_DIFFERENCES: 'vs controls over the same period',
  SYNTHETIC_CONTROL: 'vs a synthetic control',
} as const

/** Measured daily lift of the rewarded venues over their controls, with the forecast. */
function liftChart({ payload, evaluations }: DrawnProgram): ChartSpec {
  const { days } = payload.request
  const forecast = payload.result.forecast.depthLiftPips
  const last = evaluations.at(-1)
  const method = last?.method ? methods[last.method] : null
  const points = evaluations.filter(({ liftPips }) => liftPips !== null)
  const measured = evaluations.map(({ dayOfProgram, liftPips, placeboPPips }) => [
    ...['Measured', `${dayOfProgram}`, ...boundsOf(liftPips)],
    placeboPPips === null ? null : percent(placeboPPips),
  ])
  const forecasts = forecast && points.length > 0 ? ['0', `${days}`] : []
  const placebo = last?.placeboPPips ?? null
  return {
    id: 'incentive-lift',
    kind: 'xy',
    title: 'Rewarded venues vs controls',
    summary: last
      ? `${points.length} daily measurements, ${method ?? 'without a valid comparison'}.`
      : 'No measurements yet.',
    x: { label: 'Program day', unit: '', scale: 'linear' },
    y: { label: 'Depth above control', unit: '%', scale: 'linear', zero: true },
    table: {
      columns: liftColumns,
      rows: [
        ...measured,
        ...forecasts.map((day) => ['Forecast', day, ...boundsOf(forecast), null]),
      ],
    },
    series: liftSeries(method, payload.request.confidencePips),
    markers:
      points.length === 0 ? [] : [{ at: `${days}`, label: 'End of rewards', tone: 'neutral' }],
    notes: placebo === null ? [] : [`Placebo p-value: ${(placebo / 10_000).toFixed(1)} %.`],
    empty: last ? `No result: ${last.reasons.join(', ')}` : 'No measurements yet.',
  }
}

type Measured = DrawnProgram['payload']['result']['forecast']['depthLiftPips']

const boundsOf = (measured: Measured) =>
  measured
    ? [measured.lowPips, measured.estimatePips, measured.highPips].map(percent)
    : [null, null, null]

function liftSeries(method: string | null, confidencePips: number): ChartSeries[] {
  const measured = { role: 'observed', x: 'day', where: { kind: 'Measured' } } as const
  const forecast = { role: 'assumption', x: 'day', where: { kind: 'Forecast' } } as const
  const band = `Measured, ${percent(confidencePips)} % interval`
  const label = method === null ? 'Measured' : `Measured ${method}`
  return [
    { ...measured, id: 'interval', label: band, mark: 'band', y: ['low', 'high'] },
    { ...measured, id: 'lift', label, mark: 'line', y: ['lift'] },
    { ...forecast, id: 'forecast', label: 'Forecast band', mark: 'band', y: ['low', 'high'] },
  ]
}

const liftColumns = columnsOf({
  kind: 'Row',
  day: 'Program day',
  low: ['Low', '%'],
  lift: ['Depth above control', '%'],
  high: ['High', '%'],
  placebo: ['Placebo p-value', '%'],
})

const horizonDays = '60'

/** Lift remaining after the last reward, and the forecast retention. */
function retentionChart({ payload, evaluations }: DrawnProgram): ChartSpec {
  const measured = evaluations.at(-1)?.retention ?? []
  const expected = payload.result.retention
  const begin = measured.length > 0 ? [['Measured', '0', null, '100', null]] : []
  const forecast = expected ? [['Forecast', horizonDays, ...boundsOf(expected)]] : []
  return {
    id: 'incentive-retention',
    kind: 'xy',
    title: 'Lift retained after the rewards',
    summary:
      measured.length === 0
        ? 'No measurements after the end yet.'
        : measured
            .map(({ daysAfter, keptPips }) => `${daysAfter} days after: ${percent(keptPips)} %.`)
            .join(' '),
    x: { label: 'Days after the end', unit: '', scale: 'linear', zero: true },
    y: { label: 'Share of the reached lift', unit: '%', scale: 'linear', zero: true },
    table: {
      columns: retentionColumns,
      rows: [
        ...begin,
        ...measured.map(({ daysAfter, keptPips }) => [
          ...['Measured', daysAfter, null, percent(keptPips), null],
        ]),
        ...forecast,
      ],
    },
    series: retentionSeries(expected?.isMeasured ?? false),
    notes: measured.length === 0 && expected ? ['No measurements yet.'] : [],
    empty: 'No measurements after the end yet, and no forecast.',
  }
}

function retentionSeries(isKnown: boolean): ChartSeries[] {
  const about = { x: 'days' } as const
  const label = isKnown ? 'Forecast' : 'Assumed, no earlier measurement'
  return [
    {
      ...about,
      id: 'kept',
      label: 'Measured',
      mark: 'line',
      role: 'observed',
      y: ['kept'],
      where: { kind: 'Measured' },
    },
    {
      ...about,
      id: 'expected',
      label,
      mark: 'interval',
      role: 'assumption',
      y: ['low', 'kept', 'high'],
      where: { kind: 'Forecast' },
    },
  ]
}

const retentionColumns = columnsOf({
  kind: 'Row',
  days: 'Days after the end',
  low: ['Low', '%'],
  kept: ['Share of the reached lift', '%'],
  high: ['High', '%'],
})

const million = 1_000_000

/** Cost of 1,000 quote of depth within 2 % per day: forecast by venue, and measured overall. */
function depthCostChart(program: DrawnProgram): ChartSpec {
  const rows = program.payload.result.allocation.flatMap(({ venueId }, index) => {
    const costs = depthCosts(program, index)
    return costs ? [costRow(venueId, costs)] : []
  })
  const pips = program.evaluations.at(-1)?.costPerDepthDayPips ?? null
  const measured = pips === null ? null : (pips * 1000) / million
  const draws = isMeasured(program)
    ? 'Median and 10–90 % of draws.'
    : 'Median and 10–90 % of draws, if half (10–90 %) of the yield-driven liquidity arrives. A pilot measures it.'
  return {
    id: 'incentive-depth-cost',
    kind: 'intervals',
    title: 'Cost of depth by venue',
    summary:
      rows.map(([name, , , middle]) => `${name}: ${printValue(Number(middle))}.`).join(' ') ||
      'No rewarded venues.',
    x: named,
    y: { label: 'Cost per 1,000 of 2 % depth and day', unit: quote, scale: 'linear', zero: true },
    table: { columns: costColumns, rows },
    series: [costSeries],
    markers:
      measured === null || rows.length === 0
        ? []
        : [
            {
              at: digits(measured),
              label: `Measured overall: ${printValue(measured)}`,
              tone: 'warn',
            },
          ],
    note: 'note',
    notes: rows.length === 0 ? [] : [draws],
    empty: 'No rewarded venues.',
  }
}

const costSeries: ChartSeries = {
  id: 'cost',
  label: 'Cost of depth',
  mark: 'interval',
  role: 'estimate',
  x: 'name',
  y: ['low', 'middle', 'high'],
}

function costRow(venueId: string, costs: readonly number[]): ChartCells {
  const [low = null, middle = null, high = null] = costs.map((cost) =>
    Number.isFinite(cost) ? digits(cost) : null,
  )
  const note = [low, high].map((end) =>
    end === null ? 'any' : printValue(Number(Number(end).toPrecision(3))),
  )
  return [venueName(venueId), venueId, low, middle, high, note.join(' to ')]
}

const costColumns = columnsOf({
  name: 'Venue',
  venueId: 'venueId',
  low: ['p10', quote],
  middle: ['Median', quote],
  high: ['p90', quote],
  note: 'Range',
})
