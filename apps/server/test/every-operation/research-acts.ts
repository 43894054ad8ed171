import { type Run, readRun } from '../support/researching.ts'
import type { Act, ActContext } from './scene-state.ts'

/** An organization with research that ended with a comparison. */
export interface Researched extends ActContext {
  readonly run: Run
}

const reason = 'For the walk'
const evidenceHashes = [`0x${'ab'.repeat(32)}`]

/** Alternatives that are given, with the figure of the baseline where the report has it. */
function givenOptions({ id, payload }: Run, source: object) {
  const { report } = payload
  if (!report || !('baseline' in report)) throw new Error(`The run ${id} compares nothing.`)
  const metric = {
    metricId: 'mean',
    label: `Baseline · ${report.primary.metric} · mean`,
    source,
    note: 'Mean of the baseline',
    better: 'HIGHER',
    value: report.baseline.primary?.mean,
    pointer: '/payload/report/baseline/primary/mean',
    unit: 'ATOMS',
    asset: report.quoteAsset,
  }
  const kept = { summary: 'As it is', risks: [], reversibility: 'REVERSIBLE', requires: [] }
  const other = { summary: 'On one curve', risks: ['The price may leave'], reversibility: 'COSTLY' }
  return [
    { optionId: 'kept', label: 'Keep the range', statusQuo: true, ...kept, metrics: [metric] },
    {
      optionId: 'wider',
      label: 'Widen it',
      statusQuo: false,
      ...other,
      metrics: [],
      requires: ['Tokens of the treasury'],
    },
  ]
}

const withSpend = (options: ReturnType<typeof givenOptions>) =>
  options.map((option) => ({
    ...option,
    metrics: option.metrics.map((metric) => ({ ...metric, afterSpend: '1' })),
  }))

export const researchActs: Readonly<Record<string, Act<Researched>>> = {
  createDecisionPackFromResearch: {
    stage: async ({ owner, run }) => {
      const { resourceType, id, resourceVersion } = await readRun(owner, run.id)
      const source = { resourceType, id, resourceVersion }
      const [primary, weightPips] = ['net-vs-hold', 1_000_000]
      const request = {
        run: source,
        question: 'Do we widen the range?',
        context: 'The unlock is near.',
        decisionBy: '2027-01-31T00:00:00Z',
        expiresAt: '2028-01-31T00:00:00Z',
        quorum: { approvals: 2, roles: ['OWNER', 'REVIEWER'] },
      }
      const judged = {
        criteria: [{ criterionId: 'net', label: 'Net', weightPips, metricId: primary }],
        limits: [{ metricId: primary, comparator: 'GTE', value: '1' }],
        recommendation: { optionId: 'alternative-1', rationale: 'It earns more', by: 'HUMAN' },
      }
      return {
        bodies: [
          { ...request, ...judged, evidenceHashes, reason },
          { ...request, options: givenOptions(run, source), reason },
          // No spend changes a figure of research.
          { ...request, options: withSpend(givenOptions(run, source)), reason },
        ],
      }
    },
  },
}
