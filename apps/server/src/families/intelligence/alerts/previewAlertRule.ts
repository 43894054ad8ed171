import { contract } from '@liquidity-os/contract'
import { type HandlerRequest, handle, type Outcome } from '../../../http/handler.ts'
import { limits } from '../../../limits.ts'
import { pointResolutions } from '../../../market/market-points.ts'
import type { Pair } from '../../../market/pair.ts'
import { hourSeconds } from '../../../units.ts'
import { marketRuns } from './thresholds/market-runs.ts'
import { readMarket, readTimes } from './thresholds/read-market.ts'
import { readScoreRuns } from './thresholds/score-runs.ts'
import { followThreshold, initialState, type Run } from './thresholds/state-machine.ts'
import {
  defaultBandPips,
  marketMetricOf,
  previewStepOf,
  termsOf,
  windowOf,
} from './thresholds/threshold-terms.ts'
import { validateThreshold } from './thresholds/validate-threshold.ts'

const seriesPoints = limits.alertPreviewSeconds / hourSeconds

/** The runs of a threshold over the last 30 days, or since its points are stored. */
interface Previewed {
  readonly runs: readonly Run[]
  readonly from: number
  readonly to: number
  readonly stepSeconds: number
}

export default handle(contract.previewAlertRule, async (request): Promise<Outcome> => {
  const { body, records, fail } = request
  const { threshold, forSeconds } = body
  const { fieldErrors, venues } = await validateThreshold(records, threshold, 'threshold')
  const [first] = venues
  if (Object.keys(fieldErrors).length > 0 || !first) {
    throw fail('LIQUIDITY_ALERT_THRESHOLD_INVALID', { fieldErrors })
  }
  const previewed =
    threshold.metric === 'SCORE_PIPS'
      ? await previewScore(request, first.payload.pair)
      : await previewMarket(
          request,
          venues.map(({ id }) => id),
        )
  const { runs, from, to, stepSeconds } = previewed
  const { state, firings } = followThreshold(
    initialState(from),
    runs,
    termsOf(threshold, forSeconds, stepSeconds),
  )
  const data: contract.AlertRulePreview = {
    from,
    to,
    stepSeconds,
    series: seriesOf(runs, to),
    firings: firings.map(({ extreme, ...firing }) => ({ ...firing, extreme: `${extreme}` })),
    current: textOrNull(state.value),
  }
  return { data }
})

type Request = HandlerRequest<typeof contract.previewAlertRule>

async function previewScore({ records }: Request, pair: Pair): Promise<Previewed> {
  const to = Math.floor(records.now / 1000)
  const from = to - limits.alertPreviewSeconds
  const runs = await readScoreRuns(records, pair, { from: from + 1, to })
  return { runs, from, to, stepSeconds: 1 }
}

async function previewMarket(
  { body, records }: Request,
  venueIds: readonly string[],
): Promise<Previewed> {
  const { threshold } = body
  const stepSeconds = previewStepOf(threshold)
  const bands = [threshold.bandPips ?? defaultBandPips]
  const metric = marketMetricOf(threshold, bands)
  if (metric === null) throw new Error('A market threshold has a market metric.')
  const window = windowOf(threshold)
  const now = Math.floor(records.now / 1000)
  const earliest = now - limits.alertPreviewSeconds - window
  const stored = now - retentionOf(stepSeconds) + window
  const startOf = (until: number) =>
    Math.min(
      until,
      Math.max(until - limits.alertPreviewSeconds, Math.ceil(stored / stepSeconds) * stepSeconds),
    )
  const read = await readMarket(records, await readTimes(records, venueIds, earliest), {
    venueIds,
    stepSeconds,
    bands,
    from: (until) => startOf(until) - window,
  })
  const to = read?.until ?? now
  const from = startOf(to)
  return { runs: read ? marketRuns(read.series, metric, { from, to }) : [], from, to, stepSeconds }
}

const retentionOf = (stepSeconds: number) =>
  pointResolutions.find(({ seconds }) => seconds === stepSeconds)?.retentionSeconds ?? Infinity

/** Values of each hour back from the end. */
function seriesOf(runs: readonly Run[], to: number): contract.AlertRulePreview['series'] {
  let itemIndex = 0
  return Array.from({ length: seriesPoints }, (_, index) => {
    const at = to - (seriesPoints - 1 - index) * hourSeconds
    while (itemIndex < runs.length && runs[itemIndex]!.to < at) itemIndex += 1
    const run = runs[itemIndex]
    return [at, run && run.from <= at ? textOrNull(run.value) : null] as const
  })
}

const textOrNull = (value: bigint | null) => (value === null ? null : `${value}`)
