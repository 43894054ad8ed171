import { contract } from '@liquidity-os/contract'
import type { TestMember } from '../support/service.ts'
import { capital } from './capital-bodies.ts'
import type { Scene } from './scene.ts'

const reason = 'For the walk'
const evidenceHashes = [`0x${'ab'.repeat(32)}`]

interface Recorded {
  readonly resourceType: string
  readonly id: string
  readonly resourceVersion: string
}
const refOf = ({ resourceType, id, resourceVersion }: Recorded) => ({
  resourceType,
  id,
  resourceVersion,
})

type CapitalStudy = Recorded & {
  payload: { base: { quote: string }; request: { quote: string } }
}

/** A capital study of a depth target, for the example token and quote. */
async function aCapitalStudy({ client }: TestMember, change: object = {}) {
  const { payload } = contract.createCapitalRequirements.example.body
  const { data } = (
    await client.createCapitalRequirements({
      body: { payload: { ...payload, ...change }, reason } as never,
    })
  ).body
  return data as unknown as CapitalStudy
}

const [whole, , ...refused] = capital as readonly [object, object, ...object[]]
const {
  horizonDays: _,
  confidencePips: __,
  blockTimeSeconds: ___,
  flow: ____,
  budget: _____,
  ...depths
} = whole as Record<string, object>
const intent = {
  ...contract.createIntents.example.body.payload,
  ...depths,
  limits: {
    ...contract.createIntents.example.body.payload.limits,
    venueAllow: ['venue_one', 'venue_two'],
    venueDeny: ['venue_three'],
    runwayScenarioId: 'winter',
  },
}
/**
 * Liquidity target bodies: one with every member, one without a price source, and rejected ones.
 */
const intents = (status: string) => {
  const [, unpriced] = capital as readonly { reference?: object; volatility?: object }[]
  return [
    { payload: intent, status, evidenceHashes, reason },
    {
      payload: { ...intent, reference: unpriced!.reference, volatility: unpriced!.volatility },
      status: 'DRAFT',
      reason,
    },
    ...refused.map((one) => {
      const { existingDepth, ledgerSources } = one as Record<string, object>
      const named = existingDepth ? { existingDepth } : { ledgerSources }
      return { payload: { ...intent, ...named }, status: 'DRAFT', reason }
    }),
    { payload: { ...intent, authority: 'SPEND' }, status: 'DRAFT', reason },
  ]
}

const launch = contract.createLaunchPlans.example.body.payload
/** Contains every kind of vesting schedule. */
const vested = [
  ...launch.allocations,
  ...[
    { kind: 'ONE_OFF', at: '2099-06-01T00:00:00Z' },
    { kind: 'RECURRING', firstAt: '2099-06-01T00:00:00Z', every: 'MONTH', count: 3 },
    {
      kind: 'RECURRING',
      firstAt: '2099-06-01T00:00:00Z',
      every: 'MONTH',
      until: '2099-09-01T00:00:00Z',
    },
    {
      kind: 'LINEAR',
      from: '2099-06-01T00:00:00Z',
      to: '2099-09-01T00:00:00Z',
      stepSeconds: 86_400,
      initial: `${10n ** 17n}`,
    },
  ].map((vesting, index) => ({
    bucket: `part-${index}`,
    tokens: `${10n ** 18n}`,
    recipientClass: 'ECOSYSTEM',
    vesting,
  })),
].map((one) =>
  one.bucket === 'treasury'
    ? { ...one, tokens: `${499_996n * 10n ** 18n}`, initialTokens: `${10n ** 18n}` }
    : one,
)
const contractOf = (digit: string) => `0x${digit.repeat(40)}`
const seeded = {
  factory: contractOf('1'),
  tolerancePips: 10_000,
  safe: contractOf('2'),
  minimumToken: '1000',
  minimumQuote: '1000',
}
const deployment = {
  deployer: contractOf('5'),
  vesting: [{ bucket: 'team', address: contractOf('4'), codeHash: `0x${'ef'.repeat(32)}` }],
  control: { holder: contractOf('2'), role: `0x${'00'.repeat(32)}` },
  pool: { ...seeded, kind: 'UNISWAP_V3', feePips: 3_000 },
}
const ofPair = { ...seeded, kind: 'UNISWAP_V2' }
const bid = { budget: `${10n ** 22n}`, maximumPriceX18: `${3n * 10n ** 18n}`, atSeconds: 3600 }
async function aLaunchPlan({ client }: TestMember) {
  const { data } = (await client.createLaunchPlans({ body: { payload: launch, reason } as never }))
    .body
  return data as unknown as Recorded
}
const headOf = async ({ client }: TestMember, { id }: Recorded) =>
  (await client.getLaunchTimeline({ params: { id } })).body.data
const step = {
  key: 'opinion',
  title: 'An opinion',
  kind: 'GATE',
  ownerRole: 'OWNER',
  offsetSeconds: -86_400,
  durationSeconds: 3600,
  dependsOn: [],
  requiredEvidence: [{ kind: 'DOCUMENT', minimum: 1 }],
}
const document = { kind: 'DOCUMENT', hash: `0x${'cd'.repeat(32)}` }

const packOf = (study: CapitalStudy, decisionBy: string) => ({
  question: 'Do we provide the depth?',
  context: 'The listing is near.',
  criteria: [
    { criterionId: 'cost', label: 'Cost', weightPips: 1_000_000, metricId: 'quote-needed' },
  ],
  limits: [{ metricId: 'quote-needed', comparator: 'LTE', value: '1' }],
  recommendation: { optionId: 'provide', rationale: 'It is cheap', by: 'HUMAN' },
  quorum: { approvals: 2, roles: ['OWNER', 'REVIEWER'] },
  decisionBy,
  expiresAt: decisionBy.replace('2027', '2028'),
  options: [
    {
      optionId: 'nothing',
      label: 'Do nothing',
      statusQuo: true,
      summary: 'As it is',
      metrics: [],
      risks: [],
      reversibility: 'REVERSIBLE',
      requires: [],
    },
    {
      optionId: 'provide',
      label: 'Provide it',
      statusQuo: false,
      summary: 'On one curve',
      metrics: [
        {
          metricId: 'quote-needed',
          label: 'Capital without buffer · Quote',
          note: 'Quote that it takes',
          unit: 'ATOMS',

          value: study.payload.base.quote,
          asset: study.payload.request.quote,
          better: 'LOWER',
          source: refOf(study),
          pointer: '/payload/base/quote',
        },
      ],
      risks: ['The price may leave'],
      reversibility: 'COSTLY',
      requires: ['Tokens of the treasury'],
    },
  ],
  evidence: [{ source: refOf(study), maximumAgeSeconds: 86_400 }],
})
/** The same with a spend, which changes no figure of a capital study: it is refused. */
const spentOf = (pack: ReturnType<typeof packOf>) => ({
  ...pack,
  options: pack.options.map((option) => ({
    ...option,
    metrics: option.metrics.map((metric) => ({ ...metric, afterSpend: '1' })),
  })),
})
const decisionBy = '2027-01-31T00:00:00Z'
async function aPack(owner: TestMember) {
  const content = packOf(await aCapitalStudy(owner), decisionBy)
  const { data } = (
    await owner.client.createDecisionPack({ body: { payload: content, reason } as never })
  ).body
  return { content, pack: data as unknown as Recorded }
}

export const planScenes: Readonly<Record<string, Scene>> = {
  createIntents: async () => ({ bodies: intents('DRAFT') }),
  supersedeIntents: async ({ client }) => {
    const { payload } = contract.createIntents.example.body
    const { data } = (
      await client.createIntents({ body: { payload, status: 'DRAFT', reason } as never })
    ).body
    const { id, resourceVersion } = (data as unknown as { intent: Recorded }).intent
    return { request: { params: { id }, ifMatch: resourceVersion }, bodies: intents('DRAFT') }
  },
  seedIssuerIntentFromCapitalStudy: async (owner) => {
    const { id, resourceVersion } = await aCapitalStudy(owner)
    const body = { objective: 'LAUNCH', label: 'For the launch', reason }
    return {
      request: { params: { id } },
      bodies: [{ studyResourceVersion: resourceVersion, ...body }],
    }
  },
  createLaunchPlans: async (owner) => {
    const study = refOf(await aCapitalStudy(owner))
    return {
      bodies: [
        { payload: { ...launch, capitalRequirement: study }, evidenceHashes, reason },
        {
          payload: {
            ...launch,
            allocations: vested,
            demand: { kind: 'DECLARED', bids: [bid, { ...bid, atSeconds: 7200 }] },
          },
          reason,
        },
        { payload: { ...launch, deployment }, reason },
        { payload: { ...launch, deployment: { ...deployment, pool: ofPair } }, reason },
        // Rejected: these records do not exist.
        { payload: { ...launch, intent: { ...study, resourceType: 'IssuerIntent' } }, reason },
        { payload: { ...launch, supersedes: { ...study, resourceType: 'LaunchPlan' } }, reason },
        { payload: { ...launch, venueId: `venue_${'0'.repeat(32)}` }, reason },
      ],
    }
  },
  seedLaunchPlanFromCapitalStudy: async (owner) => {
    const { id, resourceVersion } = await aCapitalStudy(owner)
    const { launchAt, mechanism, totalSupply, allocations } = launch
    const body = {
      launchAt,
      mechanism,
      totalSupply,
      allocations,
      template: 'STANDARD_90_DAY',
      label: 'Seeded launch',
      reason,
    }
    return {
      request: { params: { id } },
      bodies: [
        { studyResourceVersion: resourceVersion, ...body },
        // Rejected: this venue does not exist.
        {
          studyResourceVersion: resourceVersion,
          ...body,
          venueId: `venue_${'0'.repeat(32)}`,
        },
      ],
    }
  },
  appendLaunchTimelineEvent: async (owner) => {
    const plan = await aLaunchPlan(owner)
    const { head: expectedTimelineHead } = await headOf(owner, plan)
    const task = { ...step, kind: 'TASK' }
    const { offsetSeconds: _, ...planned } = task
    return {
      request: { params: { id: plan.id } },
      bodies: [
        { expectedTimelineHead, event: task, evidenceHashes, reason },
        { event: { ...planned, plannedAt: '2099-02-01T00:00:00Z' }, reason },
        // Refused: the timeline has no such step.
        { event: { ...task, dependsOn: ['none'] }, reason },
        { template: 'STANDARD_90_DAY', reason },
      ].map((body) => ({ expectedTimelineHead, ...body })),
    }
  },
  completeLaunchTimelineEvent: async (owner) => {
    const plan = await aLaunchPlan(owner)
    const params = { id: plan.id }
    const { head: expectedTimelineHead } = await headOf(owner, plan)
    const event = { ...step, kind: 'TASK' }
    await owner.client.appendLaunchTimelineEvent({
      params,
      body: { expectedTimelineHead, event, reason } as never,
    })
    const { head: timelineHead, events } = await headOf(owner, plan)
    const { eventId } = events.find(({ key }) => key === step.key)!
    return {
      request: { params: { ...params, eventId } },
      bodies: [{ timelineHead, evidence: [document], reason }],
    }
  },
  createDecisionPack: async (owner) => {
    const payload = packOf(await aCapitalStudy(owner), decisionBy)
    return {
      bodies: [
        { payload, evidenceHashes, reason },
        { payload: spentOf(payload), reason },
      ],
    }
  },
  applyDecisionPackCommand: async (owner) => {
    const { content, pack } = await aPack(owner)
    const params = { packId: pack.id }
    const { data } = (
      await owner.client.applyDecisionPackCommand({
        params,
        ifMatch: pack.resourceVersion,
        body: { command: 'SUBMIT', reason },
      })
    ).body
    const common = { resourceVersion: data.pack.resourceVersion, evidenceHashes, reason }
    return {
      request: { params },
      bodies: [
        { command: 'APPROVE', optionId: 'provide', note: 'It is cheap', ...common },
        { command: 'REVISE', payload: content, ...common },
        { command: 'REVISE', payload: spentOf(content), ...common },
      ],
    }
  },
}
